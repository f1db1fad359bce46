"""The explorer in headless Chromium: explorer_test.py --built build/web --mmaspec build/release/bin/mmaspec.

Run by `scripts/test --all`, which builds the page and gets the browser; elsewhere it says that it is skipped.
"""

import argparse
import functools
import http.server
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOPPER = "hopper/mma.m16n8k16.f32.f16.f16.f32"
AMPERE = "ampere/mma.m16n8k16.f32.f16.f16.f32"
ROWS = 100_000
PAGES = ["compare", "ask", "map", "identify"]

options = argparse.Namespace()


def skip(why: str) -> None:
    print(f"skipped: {why}; scripts/test --all gets it")
    sys.exit(0)


def mmaspec(*words: str) -> subprocess.CompletedProcess:
    return subprocess.run([options.mmaspec, *words], capture_output=True, text=True, check=False)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Explorer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.playwright = sync_playwright().start()
        cls.browser = cls.playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        handler = functools.partial(Quiet, directory=str(options.built))
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()

    @classmethod
    def tearDownClass(cls):
        cls.server.shutdown()
        cls.browser.close()
        cls.playwright.stop()

    def setUp(self):
        self.failures = []

    def tearDown(self):
        self.assertEqual(self.failures, [])

    def open(self, fragment="", served=False, **context):
        """The page at a fragment, by default from its folder; what it throws fails the test."""
        page = self.browser.new_context(**context).new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: self.failures.append(str(error)))
        address = f"http://127.0.0.1:{self.server.server_port}/index.html" if served else (options.built / "index.html").as_uri()
        page.goto(address + fragment)
        return page

    def result_bits(self, page, count=2):
        page.wait_for_function(f"document.querySelectorAll('table.results tbody tr').length === {count}")
        return page.locator("table.results tbody td:nth-child(2) code").all_inner_texts()

    def evaluated(self, page):
        """What `mmaspec eval` says of the commands that the page shows."""
        bits = []
        for line in page.locator("pre[aria-label='command line']").inner_text().splitlines():
            if not line.startswith("mmaspec eval"):
                continue
            done = subprocess.run(["bash", "-c", line.replace("mmaspec", str(options.mmaspec), 1)], capture_output=True, text=True, check=True)
            bits.append(re.search(r"^d = (0x[0-9a-f]+)", done.stdout, re.M)[1])
        return bits

    def test_opens_from_its_folder_and_from_a_server(self):
        for served in (False, True):
            with self.subTest(served=served):
                page = self.open(served=served)
                self.assertEqual(self.result_bits(page), ["0x00000000", "0x3a000000"])
                page.context.close()

    def test_finds_a_difference_that_eval_confirms(self):
        page = self.open(f"#/compare?u={HOPPER}&u={AMPERE}&ulp=4")
        self.assertEqual(len(set(self.result_bits(page))), 1)
        page.get_by_role("button", name="Find a difference").click()
        page.locator(".status .found").wait_for()
        bits = self.result_bits(page)
        self.assertNotEqual(*bits)
        self.assertEqual(self.evaluated(page), bits)
        # The link holds the witness: another visitor sees the same.
        other = self.open(page.evaluate("location.hash"))
        self.assertEqual(self.result_bits(other), bits)
        other.get_by_role("button", name="Simplify").click()
        other.locator(".status .found").wait_for()
        self.assertNotEqual(*self.result_bits(other))

    def test_the_command_line_prints_links_that_the_page_opens(self):
        done = mmaspec("diff", HOPPER, AMPERE, "--ulp", "1000", "--link", "--json")
        answer = json.loads(done.stdout)
        page = self.open(answer["link"])
        witness = answer["witnesses"][0]
        self.assertEqual(self.result_bits(page), ["0x" + witness["d"], "0x" + witness["d_other"]])
        done = mmaspec("prove", "monotone-product", "volta/mma.m8n8k4.f32.f16.f16.f32", "--where", "normal(a[*]) && normal(b[*])", "--link")
        link = re.search(r"^link: (\S+)$", done.stdout, re.M)[1]
        page = self.open(link)
        page.get_by_text("Refuted by the input of this link").wait_for()
        page.get_by_role("region", name="runs").first.wait_for()

    def test_a_bit_flips(self):
        page = self.open(f"#/compare?u={HOPPER}&u={AMPERE}&a=0x3c00&b=0x3c00")
        self.assertEqual(self.result_bits(page), ["0x3f800000"] * 2)
        page.locator("[data-operand='a.0']").focus()
        page.get_by_role("button", name="bit 15, sign").click()
        page.wait_for_function("document.querySelector('table.results tbody td code').textContent === '0xbf800000'")
        page.locator("[data-operand='b.0']").fill("3")
        page.wait_for_function("document.querySelector('table.results tbody td code').textContent === '0xc0400000'")
        page.locator("[data-operand='b.0']").fill("0.1")
        page.get_by_role("alert").first.wait_for()

    def test_parameters_of_a_design_are_fields(self):
        page = self.open(f"#/compare?u={HOPPER}&u={HOPPER}&a=0x3c00,0xbc00,0x1c00&b=0x7800,0x7800,0x3000")
        before = self.result_bits(page)
        page.get_by_role("button", name="Parameters").nth(1).click()
        page.get_by_label("fraction_bits").fill("40")
        page.wait_for_function("document.querySelectorAll('tr.apart').length > 0")
        after = self.result_bits(page)
        self.assertEqual(after[0], before[0])
        self.assertEqual(self.evaluated(page), after)
        page.get_by_label("fraction_bits").fill("many")
        page.get_by_role("alert").first.wait_for()

    def test_asks_the_table_and_searches(self):
        page = self.open(f"#/ask?property=monotone-product&u={HOPPER}")
        page.get_by_text("Computed again here: the same results.").wait_for()
        page.get_by_role("button", name="Search for a violation").click()
        page.locator(".status .found").wait_for()
        again = self.open(page.evaluate("location.hash"))
        again.get_by_text("Refuted by the input of this link").wait_for()
        page = self.open(f"#/ask?property=commutative&u={HOPPER}")
        page.get_by_text("one expression").first.wait_for()
        page.get_by_role("button", name="Search for a violation").click()
        page.get_by_text("Not refuted").wait_for()
        self.assertNotIn("proved", page.locator(".status").inner_text().lower().replace("proves nothing", ""))

    def test_the_map_links_to_answers(self):
        page = self.open("#/map?filter=volta")
        page.locator("table.map tbody tr").first.wait_for()
        self.assertEqual(page.locator("table.map tbody tr").count(), 3)
        page.locator("td.refuted a").first.click()
        page.get_by_text("Computed again here: the same results.").wait_for()
        for view in ("contradictions", "suites", "differences"):
            page = self.open(f"#/map?view={view}")
            page.locator("#content table, #content .note").first.wait_for()
        page = self.open("#/map?view=contradictions&filter=volta")
        page.locator("#content tbody a").first.click()
        self.assertEqual(len(self.result_bits(page)), 2)

    def test_identifies_a_recorded_unit(self):
        done = mmaspec("eval", HOPPER, "--a", "1,-1,0x1p-8", "--b", "32768,32768,0x1p-3", "--json")
        row = json.loads(done.stdout)
        page = self.open("#/identify")
        page.locator("#rows").fill(json.dumps(row))
        page.get_by_role("button", name="Which designs fit?").click()
        page.get_by_role("heading", name=re.compile("fit")).first.wait_for()
        self.assertIn(HOPPER, page.locator("section[aria-label=answer]").inner_text())
        page.locator("#rows").fill("a,b,c,d\n" + ",".join(row[key] for key in "abcd"))
        page.get_by_role("button", name="Which designs fit?").click()
        page.wait_for_timeout(300)
        page.get_by_role("heading", name=re.compile("fit")).first.wait_for()

    def test_bad_input_gets_a_message(self):
        long_ = "z" * 5000
        fragments = ["#/nowhere", "#/%E0%A4%A", "#nonsense", "#/compare?u=%", "#/compare?u=hopper/nothing&u=" + HOPPER, "#/compare?u=design:", "#/compare?u=design:fused-dot-add(",
                     "#/compare?u=design:fused-dot-add(k=99999,fraction_bits=3)", f"#/compare?u={long_}", f"#/compare?u={HOPPER}&a=x,y,z", f"#/compare?u={HOPPER}&a={','.join(['1'] * 40)}",
                     f"#/compare?u={HOPPER}&c=0x123456789", f"#/compare?u={HOPPER}&u={AMPERE}&chain=17", f"#/compare?u={HOPPER}&u={AMPERE}&match=maybe", f"#/compare?u={HOPPER}&u=x86/vfmadd231sd",
                     "#/ask?property=beauty", "#/ask?u=nobody", f"#/ask?u={HOPPER}&property=equivalent", f"#/ask?u={HOPPER}&property=monotone-c&a=frog", f"#/ask?u={HOPPER}&property=monotone-c&a=1&x=c2:frog",
                     "#/map?view=moon", "#/map?filter=qqqqqqqq", "#/identify?rows=hello", "#/identify?rows=%7B%22a%22", "#/identify?a=f17&rows=1,1,1,1"]
        for fragment in fragments:
            with self.subTest(fragment=fragment[:80]):
                page = self.open(fragment)
                page.locator("#content .message:not(.found)").first.wait_for()
                self.assertTrue(page.locator("h1").inner_text())
                page.context.close()
        searches = {"ulp": "-1", "abs": "x", "rel": "1e", "where": "a[99] > 0", "chain": "frog"}
        for key, value in searches.items():
            with self.subTest(field=key):
                page = self.open(f"#/compare?u={HOPPER}&u={AMPERE}")
                self.result_bits(page)
                page.locator(f"input[name={key}]").fill(value)
                page.get_by_role("button", name="Find a difference").click()
                page.locator("#content .message.error").first.wait_for()
                page.context.close()
        page = self.open(f"#/ask?u={HOPPER}&property=error-bound")
        for value in ("", "frog", "-3"):
            page.locator("input[name=bound]").fill(value)
            page.get_by_role("button", name="Search for a violation").click()
            page.locator(".status .message.error").wait_for()

    def test_accessible_in_both_widths_and_modes(self):
        folder = options.screenshots
        fragments = {"compare": "", "ask": f"#/ask?property=monotone-product&u={HOPPER}", "map": "#/map?filter=hopper", "identify": "#/identify"}
        for scheme in ("light", "dark"):
            for width, height in ((1200, 900), (375, 800)):
                for name, fragment in fragments.items():
                    with self.subTest(page=name, scheme=scheme, width=width):
                        page = self.open(fragment, viewport={"width": width, "height": height}, color_scheme=scheme)
                        waits = {"compare": "table.results tbody tr", "ask": ".recorded table", "map": "table.map tbody tr", "identify": "select"}
                        page.locator(waits[name]).first.wait_for()
                        if name == "identify":
                            page.get_by_role("button", name="An example").click()
                            page.get_by_role("heading", name=re.compile("fit")).first.wait_for()
                        page.wait_for_timeout(300)
                        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)
                        if folder:
                            page.screenshot(path=str(folder / f"{name}-{scheme}-{width}.png"), full_page=name != "map")
                        found = Axe().run(page).response["violations"]
                        serious = [f"{v['id']}: {[n['html'][:120] for n in v['nodes'][:3]]}" for v in found if v["impact"] in ("serious", "critical")]
                        self.assertEqual(serious, [])
                        page.context.close()

    def test_screenshot_of_the_readme(self):
        page = self.open(viewport={"width": 1100, "height": 1000}, color_scheme="light")
        self.assertEqual(self.result_bits(page), ["0x00000000", "0x3a000000"])
        page.get_by_role("region", name="alignment rulers").wait_for()
        if options.screenshots:
            page.screenshot(path=str(options.screenshots / "explorer.png"))

    def test_can_be_used_with_the_keyboard(self):
        page = self.open()
        self.result_bits(page)
        page.keyboard.press("Tab")
        self.assertEqual(page.evaluate("document.activeElement.className"), "skip")
        page.keyboard.press("Enter")
        self.assertEqual(page.evaluate("document.activeElement.id"), "content")
        self.assertIn("#/compare", page.evaluate("location.hash"))
        page.locator("[data-bit='15']").focus()
        page.keyboard.press("ArrowRight")
        self.assertEqual(page.evaluate("document.activeElement.dataset.bit"), "14")
        page.keyboard.press("Enter")
        page.wait_for_function("document.activeElement.dataset.bit === '14' && document.activeElement.getAttribute('aria-pressed') === 'true'")

    def test_the_engine_gives_the_results_of_the_native_evaluator(self):
        engine = options.built / "engine"
        made = subprocess.run(["node", str(ROOT / "tests/web/rows.cjs"), str(engine), str(ROWS)], capture_output=True, text=True, check=True)
        print(made.stderr.strip(), file=sys.stderr)
        self.assertGreaterEqual(made.stdout.count("\n"), ROWS)
        done = subprocess.run([options.mmaspec, "verify", "-"], input=made.stdout, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout.strip().splitlines()[-1].split(", ")[1]), (0, "0 failed"))

    def test_the_engine_is_small(self):
        import gzip
        size = len(gzip.compress((options.built / "engine/engine.wasm").read_bytes(), 9))
        self.assertLess(size, 3 << 20)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--built", type=pathlib.Path, default=ROOT / "build/web")
    parser.add_argument("--mmaspec", default=ROOT / "build/release/bin/mmaspec")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--screenshots", type=pathlib.Path)
    parser.add_argument("tests", nargs="*")
    options = parser.parse_args()
    options.built = options.built.resolve()
    own = options.built / "venv/bin/python3"
    if not (options.built / "index.html").exists():
        skip("there is no build/web/index.html")
    if not os.path.exists(options.chromium):
        skip("there is no Chromium")
    try:
        from axe_playwright_python.sync_playwright import Axe
        from playwright.sync_api import sync_playwright
    except ImportError:
        if own.exists() and pathlib.Path(sys.prefix) != own.parents[1]:
            os.execv(own, [str(own), *sys.argv])
        skip("there is no Playwright")
    if options.screenshots:
        options.screenshots.mkdir(parents=True, exist_ok=True)
    unittest.main(argv=[sys.argv[0], *options.tests], verbosity=2)
