"""The explorer in headless Chromium: explorer_test.py --built build/web --mmaspec build/release/bin/mmaspec.

Run by `scripts/test --all`, which builds the page and gets the browser; elsewhere it says that it is skipped.
"""

import argparse
import gzip
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time
import unittest

from measures import MEASURE, PAUSES

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOPPER = "hopper/mma.m16n8k16.f32.f16.f16.f32"
AMPERE = "ampere/mma.m16n8k16.f32.f16.f16.f32"
SATFINITE = "ampere/mma.m16n8k16.satfinite.s32.u8.s8.s32"
VPDPBUSDS = "x86/vpdpbusds"
# Ten times as many as for exported designs.
ROWS = 10 * int(os.environ.get("MMASPEC_EXPORTED_ROWS", 10_000))
# Other tests run on the processor at the same time.
PATIENCE_MS = 120_000

options = argparse.Namespace()


def skip(why: str) -> None:
    print(f"skipped: {why}; scripts/test --all gets it")
    sys.exit(0)


def mmaspec(*words: str) -> subprocess.CompletedProcess:
    return subprocess.run([options.mmaspec, *words], capture_output=True, text=True, check=False)


class Explorer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.playwright = sync_playwright().start()
        cls.browser = cls.playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        cls.figures = {}
        # In parallel with the other tests, which leave a processor free: rows computed by the
        # module, checked by the native evaluator.
        cls.rows = subprocess.Popen(["nice", "node", ROOT / "tests/web/rows.cjs", options.built / "engine", str(ROWS)], stdout=subprocess.PIPE)
        cls.verified = subprocess.Popen(["nice", options.mmaspec, "verify", "-"], stdin=cls.rows.stdout, stdout=subprocess.PIPE, text=True)
        cls.rows.stdout.close()

    @classmethod
    def tearDownClass(cls):
        for program in (cls.rows, cls.verified):
            program.kill()
            program.wait()
        cls.verified.stdout.close()
        cls.browser.close()
        cls.playwright.stop()
        print("figures: " + json.dumps(cls.figures), file=sys.stderr)

    def setUp(self):
        self.failures = []
        self.began = time.monotonic()

    def tearDown(self):
        print(f"{time.monotonic() - self.began:.1f} s ", end="", file=sys.stderr)
        for context in self.browser.contexts:
            context.close()
        self.assertEqual(self.failures, [])

    def open(self, fragment="", address=None, **context):
        """Opens the page at a fragment, by default from its folder. Exceptions of the page fail the test."""
        page = self.browser.new_context(**context).new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self.failures.append(str(error)))
        page.on("console", lambda said: said.type == "error" and self.failures.append(said.text))
        page.goto((address or (options.built / "index.html").as_uri()) + fragment)
        return page

    def go(self, page, fragment):
        """Opens another fragment in an open page."""
        page.evaluate("fragment => { document.getElementById('content').replaceChildren(); location.hash = fragment; }", fragment)

    def result_bits(self, page, count=2):
        page.wait_for_function(f"document.querySelectorAll('table.results tbody tr').length === {count}")
        return page.locator("table.results tbody td:nth-child(2) code").all_inner_texts()

    def evaluated(self, page):
        """The output of `mmaspec eval` for the commands that the page shows."""
        bits = []
        for line in page.locator("pre[aria-label='command line']").inner_text().splitlines():
            if not line.startswith("mmaspec eval"):
                continue
            done = subprocess.run(["bash", "-c", line.replace("mmaspec", str(options.mmaspec), 1)], capture_output=True, text=True, check=True)
            bits.append(re.search(r"^d = (0x[0-9a-f]+)", done.stdout, re.M)[1])
        return bits

    def test_is_the_same_from_its_folder_and_from_a_server(self):
        server = subprocess.Popen([ROOT / "scripts/web", "--serve", "0"], stdout=subprocess.PIPE, text=True)
        try:
            served = server.stdout.readline().strip()
            self.assertRegex(served, r"^http://127\.0\.0\.1:\d+/$")
            # A port in use: one line, not a trace.
            taken = subprocess.run([sys.executable, ROOT / "apps/web/serve.py", options.built, served.split(":")[2].strip("/")], capture_output=True, text=True, check=False)
            self.assertEqual((taken.returncode, taken.stderr.count("\n")), (2, 1))
            for address in (None, served):
                with self.subTest(address=address):
                    page = self.open(address=address)
                    self.assertEqual(self.result_bits(page), ["0x00000000", "0x3a000000"])
                    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
                    self.figures[f"first paint, ms, {'http' if address else 'file'}"] = round(paint)
                    self.go(page, f"#/ask?property=monotone-product&u={HOPPER}")
                    page.get_by_text("Computed again in this page: the results are the same.").wait_for()
                    self.go(page, "#/map?filter=volta")
                    page.locator("table.map tbody tr").first.wait_for()
                    self.go(page, "#/identify")
                    page.get_by_role("button", name="An example").click()
                    page.get_by_role("heading", name=re.compile("fit")).first.wait_for()
                    page.context.close()
        finally:
            server.terminate()
            server.wait()
            server.stdout.close()

    def test_works_while_it_searches(self):
        page = self.open(f"#/compare?u={HOPPER}&u={AMPERE}&ulp=99999999999999")
        self.result_bits(page)
        for name in (HOPPER, "cdna3/v_mfma_f32_32x32x8_f16"):
            rate = page.evaluate(MEASURE, [name])
            self.assertGreater(rate, 0)
            self.figures[f"million dot products a second, {name}"] = round(rate / 1e6, 2)
        page.get_by_role("button", name="Find a difference").click()
        self.figures["longest pause in a search, ms"] = round(page.evaluate(PAUSES, 1500))
        page.get_by_role("button", name="Stop").click()
        page.get_by_role("button", name="Find a difference").wait_for()

    def test_finds_a_difference_that_eval_confirms(self):
        page = self.open(f"#/compare?u={HOPPER}&u={AMPERE}&ulp=4")
        self.assertEqual(len(set(self.result_bits(page))), 1)
        page.get_by_role("button", name="Find a difference").click()
        page.locator(".status .found").wait_for()
        bits = self.result_bits(page)
        self.assertNotEqual(*bits)
        self.assertEqual(self.evaluated(page), bits)
        # The link contains the witness: another visitor sees the same.
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

    def test_integers_are_units_like_others(self):
        page = self.open(f"#/compare?u={VPDPBUSDS}&u={SATFINITE}&a=1,255&b=0x80,-3&c=-2147483648")
        self.assertEqual(self.result_bits(page), ["0x80000000"] * 2)
        self.assertEqual(self.evaluated(page), ["0x80000000"] * 2)
        self.assertNotIn("hex float", page.locator("table.results").inner_text())
        page.get_by_role("button", name="Find a difference").click()
        page.locator(".status .found").wait_for()
        bits = self.result_bits(page)
        self.assertNotEqual(*bits)
        self.assertEqual(self.evaluated(page), bits)
        page.get_by_role("button", name="Simplify").click()
        page.get_by_text("Simplified as far as").wait_for()
        page.locator("[data-operand='a.0']").focus()
        page.get_by_role("button", name="bit 7, value").click()
        page.locator("[data-operand='b.0']").fill("-129")
        page.get_by_text("s8 does not represent -129").first.wait_for()
        # Every integer format has its bits.
        for name in ("ampere/mma.m8n8k32.s32.s4.u4.s32", "x86/vpdpwssd", "rdna3/v_wmma_i32_16x16x16_iu4.u4.u4", "design:integer-dot-add(a=u8,b=s8,k=4,overflow=saturate,group=2)"):
            self.go(page, f"#/compare?u={name}&a=1&b=2&c=3")
            self.assertEqual(self.result_bits(page, 1), ["0x00000005"])
            self.assertEqual(self.evaluated(page), ["0x00000005"])
        self.go(page, f"#/compare?u={HOPPER}&u={SATFINITE}")
        page.get_by_text("one unit computes with integers").wait_for()
        self.assertEqual(len(self.result_bits(page, 1)), 1)

        self.go(page, f"#/ask?property=monotone-c&u={SATFINITE}")
        page.locator(".verdict.proved").first.wait_for()
        self.go(page, f"#/ask?property=faithful&u={SATFINITE}")
        page.get_by_text("the formats are integers").first.wait_for()
        page.get_by_role("button", name="Search for a violation").click()
        page.locator(".status .message.error").wait_for()
        self.go(page, f"#/ask?property=permutation-invariant&u={VPDPBUSDS}")
        page.get_by_role("button", name="Search for a violation").click()
        page.locator(".status .message:text('Not refuted'), .status .found").first.wait_for()

        self.go(page, "#/map?filter=s32")
        page.locator("table.map tbody tr").first.wait_for()
        self.go(page, "#/map?view=differences&group=s8 s8 s32 s32, K = 32")
        page.locator("table.map td.cell a").first.wait_for()

        row = json.loads(mmaspec("eval", SATFINITE, "--a=200", "--b=-128", "--c", "2147483647", "--json").stdout)
        self.go(page, "#/identify")
        page.locator("#rows").fill(json.dumps(row))
        page.get_by_role("button", name="Which designs fit?").click()
        page.get_by_role("heading", name=re.compile("fit")).first.wait_for()
        self.assertIn(SATFINITE, page.locator("section[aria-label=answer]").inner_text())

    def test_units_of_other_formats_get_other_operands(self):
        page = self.open(f"#/compare?u={HOPPER}&u=hopper/mma.m16n8k16.f32.bf16.bf16.f32&u=ampere/mma.m16n8k8.f32.f16.f16.f32&a=0x3c00&b=0x4000")
        bits = self.result_bits(page, 3)
        self.assertEqual(bits, ["0x40000000"] * 3)
        self.assertEqual(self.evaluated(page), bits)
        python = options.mmaspec.parents[1] / "python-env/bin/python3"
        package = options.mmaspec.parents[1] / "python"
        if not python.exists():
            self.skipTest(f"there is no {python}: what the page shows in Python is not run")
        for fragment in (None, f"#/compare?u={SATFINITE}&u={VPDPBUSDS}&a=1&b=-2&c=-7",
                         "#/compare?u=ampere/mma.m8n8k32.s32.s4.u4.s32&a=-8,7&b=15,3&c=2147483647", "#/compare?u=blackwell/tcgen05.mma.block_scale.m128n8k32.block32.f32.e2m1.e2m1.ue8m0&a=1&b=2&sa=2&sb=4",
                         f"#/compare?u={HOPPER}&u={AMPERE}&abs=0x1p-3&rel=0.5&ulp=3&inputs=normal&where=c>=0&chain=32&signed_zero=yes"):
            with self.subTest(fragment=fragment):
                if fragment:
                    self.go(page, fragment)
                    page.locator("table.results tbody tr").first.wait_for()
                    page.locator("pre[aria-label=Python]").wait_for()
                text = page.locator("pre[aria-label=Python]").inner_text()
                evaluations = text.split("\nprint(mmaspec.diff")[0]
                ran = subprocess.run([python, "-c", evaluations], capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(package)})
                if "No module named" in ran.stderr:
                    self.skipTest(ran.stderr.strip().splitlines()[-1])
                self.assertEqual(ran.stderr, "")
                self.assertEqual([int(x, 16) for x in ran.stdout.split()], [int(x, 16) for x in page.locator("table.results tbody td:nth-child(2) code").all_inner_texts()])
                compile(text, "python", "exec")

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
        page.get_by_text("Computed again in this page: the results are the same.").wait_for()
        page.get_by_role("button", name="Search for a violation").click()
        page.locator(".status .found").wait_for()
        again = self.open(page.evaluate("location.hash"))
        again.get_by_text("Refuted by the input of this link").wait_for()
        page = self.open(f"#/ask?property=commutative&u={HOPPER}")
        page.get_by_text("one expression").first.wait_for()
        page.get_by_role("button", name="Search for a violation").click()
        page.get_by_text("Not refuted").wait_for()
        self.assertNotIn("proved", page.locator(".status").inner_text().lower())

    def test_the_map_links_to_answers(self):
        page = self.open("#/map?filter=volta")
        page.locator("table.map tbody tr").first.wait_for()
        self.assertEqual(page.locator("table.map tbody tr").count(), 3)
        page.locator("td.refuted a").first.click()
        page.get_by_text("Computed again in this page: the results are the same.").wait_for()
        for view in ("properties&filter=hopper", "differences&filter=hopper", "contradictions&filter=volta", "suites", "suites&group=all TF32"):
            with self.subTest(view=view):
                self.go(page, f"#/map?view={view}")
                page.locator("#content tbody td a").first.wait_for()
                self.assertEqual(page.locator("#content tbody td:not(.self):not(:has(a))").count(), 0)
        page.locator("#content tbody th a").first.click()
        page.get_by_role("heading", name="Compare").wait_for()
        page.locator("table.results tbody tr").first.wait_for()
        self.assertEqual(page.locator("#content .message.error").count(), 0)
        self.go(page, "#/map?view=contradictions&filter=volta")
        page.locator("#content tbody tr:has(code) td:nth-child(2) a").first.click()
        self.assertEqual(len(self.result_bits(page)), 2)

    def test_answers_of_suites_are_computed_again(self):
        """Each class's answer to each input of the committed suites, computed by the engine of the links."""
        suites = [json.loads(line) for line in (ROOT / "docs/suites.jsonl").read_text().splitlines()]
        suite = min(suites, key=lambda s: s["designs"])
        page = self.open(f"#/map?view=suites&group={suite['text']}")
        page.get_by_role("link", name="input 1").click()
        shown = self.result_bits(page, len(suite["members"]))
        self.assertEqual(shown, ["0x" + member["answers"][0] for member in suite["members"]])

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

    def test_explains_rows_of_a_plan(self):
        plan = f"plan:split-k({HOPPER},k=64,parts=2)"
        choose = random.Random(1)
        lines = []
        for _ in range(40):
            a, b = ([f"0x{choose.randrange(2) << 15 | choose.randrange(10, 16) << 10 | choose.randrange(1024):04x}" for _ in range(64)] for _ in range(2))
            row = json.loads(mmaspec("eval", plan, "--a", ",".join(a), "--b", ",".join(b), "--json").stdout)
            lines.append(json.dumps({key: row[key] for key in "abcd"}))
        page = self.open("#/identify?units=ampere h100")
        page.locator("#rows").fill("\n".join(lines))
        page.get_by_role("button", name="Which plans fit?").click()
        page.get_by_role("heading", name="One plan fits all 40 rows").wait_for()
        answer = page.locator("section[aria-label=answer]")
        self.assertIn(plan, answer.inner_text())
        # The link opens the plan with the first row.
        answer.get_by_role("link").first.click()
        self.assertEqual(self.result_bits(page, 1), ["0x" + json.loads(lines[0])["d"]])
        # Another unit's plans do not fit.
        page = self.open("#/identify?units=volta")
        page.locator("#rows").fill("\n".join(lines))
        page.get_by_role("button", name="Which plans fit?").click()
        page.get_by_role("heading", name="No plan of the space fits all rows").wait_for()
        page.get_by_label("units that may have computed the results").fill("h101")
        page.get_by_role("button", name="Which plans fit?").click()
        page.locator("#content .message.error").wait_for()

    def test_bad_input_gets_a_message(self):
        long_ = "z" * 5000
        fragments = ["#/nowhere", "#/%E0%A4%A", "#nonsense", "#/compare?u=%", "#/compare?u=hopper/nothing&u=" + HOPPER, "#/compare?u=design:", "#/compare?u=design:fused-dot-add(",
                     "#/compare?u=design:fused-dot-add(k=99999,fraction_bits=3)", f"#/compare?u={long_}", f"#/compare?u={HOPPER}&a=x,y,z", f"#/compare?u={HOPPER}&a={','.join(['1'] * 40)}",
                     f"#/compare?u={HOPPER}&c=0x123456789", f"#/compare?u={HOPPER}&u={AMPERE}&chain=17", f"#/compare?u={HOPPER}&u={AMPERE}&match=maybe", f"#/compare?u={HOPPER}&u=x86/vfmadd231sd",
                     *(f"#/compare?u={HOPPER}&u={AMPERE}&{wrong}" for wrong in ("ulp=frog", "abs=-1", "rel=1e", "where=((", "inputs=maybe", "chain=frog", f"ulp={'9' * 400}")),
                     f"#/ask?property=error-bound&u={HOPPER}&bound=frog", f"#/ask?property=permutation-invariant&u={HOPPER}&within=-1", f"#/ask?u={HOPPER}&where=pi",
                     "#/ask?property=beauty", "#/ask?u=nobody", f"#/ask?u={HOPPER}&property=equivalent", f"#/ask?u={HOPPER}&property=monotone-c&a=frog", f"#/ask?u={HOPPER}&property=monotone-c&a=1&x=c2:frog",
                     "#/map?view=moon", "#/map?filter=qqqqqqqq", "#/identify?rows=hello", "#/identify?rows=%7B%22a%22", "#/identify?a=f17&rows=1,1,1,1"]
        cold = {f.partition("?")[0]: f for f in fragments}
        for fragment in cold.values():
            with self.subTest(opened=fragment[:80]):
                page = self.open(fragment)
                page.locator("#content .message:not(.found)").first.wait_for()
                self.assertTrue(page.locator("h1").inner_text())
                page.context.close()
        page = self.open()
        self.result_bits(page)
        for fragment in fragments:
            with self.subTest(fragment=fragment[:80]):
                self.go(page, fragment)
                page.locator("#content .message:not(.found)").first.wait_for()
                self.assertTrue(page.locator("h1").inner_text())
        self.figures["bad addresses"] = len(fragments)
        # Valid input without a meaning for these units.
        self.go(page, f"#/compare?u={HOPPER}&u={AMPERE}&where=a[99]>0")
        self.result_bits(page)
        page.get_by_role("button", name="Find a difference").click()
        page.locator(".status .message.error").wait_for()

    def test_bad_input_in_every_field_gets_a_message(self):
        page = self.open()
        self.result_bits(page)
        tried = 0
        views = {f"#/compare?u={HOPPER}&u=design:fused-dot-add(a=f16,b=f16,c=f32,d=f32,k=16,fraction_bits=25)": "Find a difference",
                 "#/compare?u=blackwell/tcgen05.mma.block_scale.m128n8k32.block32.f32.e2m1.e2m1.ue8m0": None,
                 f"#/ask?property=error-bound&u={HOPPER}": "Search for a violation",
                 f"#/ask?property=permutation-invariant&u={HOPPER}": "Search for a violation",
                 f"#/ask?property=refines&u={HOPPER}&u={AMPERE}": "Search for a violation",
                 "#/identify": "Which designs fit?",
                 "#/map": None, "#/map?view=differences": None, "#/map?view=contradictions": None}
        for fragment, button in views.items():
            self.go(page, fragment)
            page.locator("#content :is(input[type=text], input[type=search], textarea)").first.wait_for()
            if fragment.startswith("#/compare"):
                page.locator("[data-operand]").first.wait_for()
            if "design:" in fragment:
                page.get_by_role("button", name="Parameters").nth(1).click()
                page.get_by_label("fraction_bits").wait_for()
            # The first operand of each kind and one more; units last, because another unit does not
            # have these fields.
            fields = page.evaluate("""() => [...document.querySelectorAll("#content :is(input[type=text], input[type=search], textarea)")]
                .sort((x, y) => x.classList.contains("unit") - y.classList.contains("unit"))
                .filter((x) => x.dataset.operand || !location.hash.includes("block_scale"))
                .filter((x) => !x.dataset.operand || /^(c|..?\\.0|a\\.15)$/.test(x.dataset.operand))
                .map((x, i) => { x.dataset.tried = i; return x.getAttribute("aria-label") ?? x.labels[0].textContent; })""")
            self.assertTrue(fields, fragment)
            for i, name in enumerate(fields):
                field = page.locator(f"[data-tried='{i}']")
                before = field.input_value()
                for bad in ("9" * 400, "<img src=x onerror=throw(1)>(("):
                    if name.startswith("by more than (") and bad.isdigit():
                        continue  # a number
                    with self.subTest(fragment=fragment[:30], field=name, bad=bad[:10]):
                        page.evaluate("document.querySelectorAll('#content .message').forEach((x) => x.remove())")
                        field.fill(bad)
                        if button and not name[1:].startswith("["):
                            page.get_by_role("button", name=button).click()
                        # A search without contradictory conditions may also find nothing.
                        page.locator("#content .message").first.wait_for()
                        page.evaluate("[...document.querySelectorAll('button')].find((x) => x.textContent === 'Stop')?.click()")
                        tried += 1
                field.fill(before)
                self.assertTrue(page.locator("h1").inner_text())
        self.figures["bad values in fields"] = tried
        self.assertGreater(tried, 60)

    def test_accessible_in_both_widths_and_modes(self):
        folder = options.screenshots
        pages = {"compare": ("", "table.results tbody tr"), "compare-integers": (f"#/compare?u={VPDPBUSDS}&u={SATFINITE}&a=240&b=-124&c=-2147453904", "table.results tbody tr"),
                 "ask": (f"#/ask?property=monotone-product&u={HOPPER}", ".recorded table"), "map": ("#/map?filter=volta", "table.map tbody tr"),
                 "map-differences": ("#/map?view=differences&filter=volta", "table.map tbody tr"), "map-contradictions": ("#/map?view=contradictions&filter=volta", "#content tbody tr"),
                 "map-suites": ("#/map?view=suites", "#content tbody tr"), "map-suite": ("#/map?view=suites&group=all TF32", "#content tbody tr"), "identify": ("#/identify", "select"),
                 "bad": ("#/compare?u=hopper/nothing&a=x", ".message.error")}
        for i, (name, (fragment, ready)) in enumerate(pages.items()):
            if not folder and "MMASPEC_FULL_TESTS" not in os.environ and i % 2:
                continue  # a quick run checks half of the pages
            page = self.open(fragment)
            page.locator(ready).first.wait_for()
            if name == "identify":
                page.get_by_role("button", name="An example").click()
                page.get_by_role("heading", name=re.compile("fit")).first.wait_for()
            for width, height in ((1200, 900), (375, 800)):
                page.set_viewport_size({"width": width, "height": height})
                for scheme in ("light", "dark"):
                    with self.subTest(page=name, scheme=scheme, width=width):
                        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)
                        if folder:
                            page.screenshot(path=str(folder / f"{name}-{scheme}-{width}.png"), full_page=not name.startswith("map"))
                        # Each width and each colour scheme once.
                        if (width > 1000) == (scheme == "light"):
                            found = Axe().run(page, options={"resultTypes": ["violations"], "preload": False}).response["violations"]
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
        said = self.verified.stdout.read()
        self.assertEqual((self.rows.wait(), self.verified.wait()), (0, 0))
        rows, failed = re.fullmatch(r"(\d+) passed, (\d+) failed.*", said.strip().splitlines()[-1]).groups()
        self.assertEqual(failed, "0")
        self.assertGreaterEqual(int(rows), ROWS)
        self.figures["rows equal to the native evaluator's"] = int(rows)

    def test_the_engine_is_small(self):
        size = len(gzip.compress((options.built / "engine/engine.wasm").read_bytes(), 9))
        self.figures["engine, bytes compressed"] = size
        self.assertLess(size, 3 << 20)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--built", type=pathlib.Path, default=ROOT / "build/web")
    parser.add_argument("--mmaspec", type=pathlib.Path, default=ROOT / "build/release/bin/mmaspec")
    parser.add_argument("--chromium", default=shutil.which("chromium-headless-shell") or shutil.which("chromium"), help="the shell needs two thirds of the time")
    parser.add_argument("--screenshots", type=pathlib.Path)
    parser.add_argument("tests", nargs="*")
    options = parser.parse_args()
    options.built = options.built.resolve()
    own = options.built / "venv/bin/python3"
    if (options.built / "failed").exists():
        sys.exit("the page's engine does not build: scripts/web says why")
    if not (options.built / "index.html").exists():
        skip("there is no build/web/index.html")
    if not options.chromium or not os.path.exists(options.chromium):
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
