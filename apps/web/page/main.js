// The explorer: a page for each question, chosen and filled in by the URL's fragment.
import { AskPage } from "./ask.js";
import { ComparePage, compareExample } from "./compare.js";
import { h, message } from "./dom.js";
import { IdentifyPage } from "./identify.js";
import { parse } from "./link.js";
import { MapPage } from "./map.js";
import { unitList } from "./unit.js";

const pages = { compare: ComparePage, ask: AskPage, map: MapPage, identify: IdentifyPage };
const place = document.getElementById("content");
let page = null;
let visit = null;
let written = null;

/** Writes a page's state to the URL without a new entry in the history. */
function navigate(fragment) {
  written = fragment;
  if (location.hash !== fragment) history.replaceState(null, "", fragment);
}

function failed(error) {
  console.error(error);
  place.querySelector(".failure")?.remove();
  place.prepend(h("div", { class: "failure" }, message(`Internal error: ${error?.message ?? error}. Reload the page, or follow a link above.`)));
}

async function show() {
  if (written !== null && location.hash === written) return;
  written = null;
  visit = null;
  page?.stop?.();
  if (!location.hash || location.hash === "#" || location.hash === "#/compare") {
    history.replaceState(null, "", compareExample);
  }
  const { page: name, values } = parse(location.hash);
  for (const link of document.querySelectorAll("nav a")) {
    if (parse(link.getAttribute("href")).page === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const Page = Object.hasOwn(pages, name) ? pages[name] : null;
  if (!Page) {
    place.replaceChildren(h("div", { class: "page" }, h("h1", {}, "No such page"),
      message(`Unknown page: ${name.slice(0, 60)}. The pages are ${Object.keys(pages).join(", ")}.`)));
    return;
  }
  document.title = `${name[0].toUpperCase()}${name.slice(1)} \u2013 MMA-Spec`;
  const own = {};
  visit = own;
  try {
    // A page that is no longer shown may still get replies; it must not change the address.
    page = new Page(values, (fragment) => { if (visit === own) navigate(fragment); });
    place.replaceChildren(page.element);
    await page.start();
  } catch (error) {
    failed(error);
  }
}

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();  // the fragment is the page's state
  place.focus();
});
addEventListener("hashchange", show);
addEventListener("error", (event) => failed(event.error ?? event.message));
addEventListener("unhandledrejection", (event) => failed(event.reason));
show();
unitList().then((list) => document.body.append(list), failed);
