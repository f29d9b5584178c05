"""The report in a real browser: nothing fails to load, nothing overflows, the keyboard reaches what it must."""

import shutil

import pytest

pytestmark = pytest.mark.browser

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PAGES = (
    "index.html",
    "bliss.html",
    "evidence/bliss-index-b-at-0-005.html",
    "evidence/bliss-figure-3.html",
    "evidence/profile.html",
    "trials/index.html",
    "trials/bliss-003.html",
)
WIDTHS = (1280, 400)
OVERFLOWING = """() => [...document.querySelectorAll('body *')].filter(
    one => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('.scroll, .unseen, pre')
).map(one => one.outerHTML.slice(0, 120))"""


@pytest.fixture(scope="module")
def browser():
    if CHROMIUM is None:
        pytest.skip("no Chromium: none of chromium, chromium-browser and google-chrome is installed")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as running:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        yield running.chromium.launch(executable_path=CHROMIUM, args=arguments)


@pytest.fixture
def visit(browser, report):
    """Returns a function that opens a page of the report.

    The page notes in ``troubles`` what went wrong, and in ``asked`` what it loaded.
    """
    contexts = []

    def open_page(name, *, width=1280, **options):
        context = browser.new_context(viewport={"width": width, "height": 900}, offline=True, **options)
        context.set_default_timeout(180_000)  # a busy machine is slow, not wrong
        contexts.append(context)
        page = context.new_page()
        page.troubles, page.asked = [], []
        page.on("request", lambda request: page.asked.append(request.url))
        page.on("console", lambda message: page.troubles.append(message.text))
        page.on("pageerror", lambda error: page.troubles.append(str(error)))
        page.on("requestfailed", lambda request: page.troubles.append(f"{request.url} failed"))
        page.goto((report / name).as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", WIDTHS)
def test_a_page_loads_whole_and_fits(visit, name, width):
    page = visit(name, width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(OVERFLOWING) == []
    assert page.evaluate("[...document.images].filter(one => !(one.complete && one.naturalWidth > 0)).length") == 0
    assert any(address.endswith("style.css") for address in page.asked)
    assert all(address.startswith(("file:", "data:")) for address in page.asked)
    assert page.troubles == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_figures_suit_screen_and_scheme(visit, width, scheme):
    page = visit("bliss.html", width=width, color_scheme=scheme)
    shown = page.evaluate("[...document.images].map(one => one.currentSrc.split('/').pop())")
    assert len(shown) == 4
    assert all(("-dark." in name) == (scheme == "dark") for name in shown)
    plots = [name for name in shown if "next-symbol" not in name]
    assert all(("-narrow" in name) == (width == 400) for name in plots)
    assert page.troubles == []


CONTRAST = """() => {
    const numbers = text => text.match(/[0-9.]+/g).slice(0, 4).map(Number);
    const light = ([r, g, b]) => [r, g, b].map(c => c / 255).map(
        c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
    ).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const ground = one => {
        for (; one; one = one.parentElement) {
            const colour = getComputedStyle(one).backgroundColor;
            if (colour !== 'rgba(0, 0, 0, 0)') return light(numbers(colour));
        }
        return 1;
    };
    return [...document.querySelectorAll('main *, header *, footer *')].filter(
        one => [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim())
    ).map(one => {
        const pair = [light(numbers(getComputedStyle(one).color)), ground(one)];
        return [(Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05), one.outerHTML.slice(0, 100)];
    }).filter(([ratio]) => ratio < 4.5);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["index.html", "bliss.html", "trials/index.html"])
def test_text_stands_out_from_its_ground(visit, name, scheme):
    assert visit(name, color_scheme=scheme).evaluate(CONTRAST) == []


def test_the_keyboard_skips_to_the_content_and_shows_where_it_is(visit):
    page = visit("bliss.html")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    assert page.evaluate("document.activeElement.getBoundingClientRect().top") >= 0
    assert page.evaluate("parseFloat(getComputedStyle(document.activeElement).outlineWidth)") >= 2
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"


def test_tables_scroll_by_keyboard_in_their_own_frame(visit):
    page = visit("bliss.html", width=400)
    frame = page.locator(".block.table .scroll").first
    assert frame.evaluate("one => one.scrollWidth > one.clientWidth")
    frame.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("one => one.scrollLeft > 0", arg=frame.element_handle())
    assert frame.locator("tbody th").first.evaluate("one => Math.round(one.getBoundingClientRect().left)") == 16
    assert page.evaluate("scrollX") == 0


def test_a_number_leads_to_its_trials_and_on_to_the_command(visit):
    page = visit("bliss.html")
    page.locator("td.differs a.value").first.click()
    assert page.url.endswith("evidence/bliss-index-b-at-0-005.html#r1c1")
    page.locator("#r1c1 tbody a").first.click()
    trial = page.locator(".trial:target")
    assert "wug trial bliss anbn --learner lstm --seed 1" in trial.inner_text()
    assert trial.evaluate("one => one.getBoundingClientRect().top < innerHeight")
    assert page.troubles == []


def test_it_prints_without_what_is_for_screens(visit):
    page = visit("bliss.html")
    page.emulate_media(media="print")
    assert page.locator(".contents").is_hidden()
    assert page.locator(".compare").first.is_visible()
    overflow = page.evaluate("[...document.querySelectorAll('.scroll')].map(one => getComputedStyle(one).overflowX)")
    assert set(overflow) == {"visible"}
