/* SPDX-License-Identifier: Apache-2.0 */
/* Views, choices that hold for all of them, theme and keys. */

const views = [["summary", "Summary", showSummary], ["flame", "Flame graph", showFlame], ["table", "Table", showTable],
  ["code", "Code", showCode], ["timeline", "Timeline", showTimeline], ["memory", "Memory", showMemory],
  ["latency", "Latency", showLatency], ["compare", "Compare", showCompare]]

let leave = null // what the view that is shown wants done before the next one

function fillChoices() {
  const option = (value, text) => make("option", {value: String(value)}, text)
  byId("run").replaceChildren(...profile.runs.map((run, index) => option(index, run.title)))
  byId("other").replaceChildren(option(-1, "nothing"), ...profile.runs.map((run, index) => option(index, run.title)))
  byId("run-label").hidden = byId("other-label").hidden = profile.runs.length < 2
  byId("run-label").style.display = byId("other-label").style.display = profile.runs.length < 2 ? "none" : ""
}

function showChoices() {
  const run = runNow()
  byId("run").value = String(chosen.run)
  byId("other").value = String(chosen.other)
  byId("metric").replaceChildren(...metrics.filter(metric => metric.events || !run.events)
    .map(metric => make("option", {value: metric.id}, metricName(metric))))
  byId("metric").value = metricNow().id
  byId("title").textContent = document.title = run.title
  for (const tab of byId("tabs").children) {
    const now = tab.id === "tab-" + chosen.tab
    tab.setAttribute("aria-selected", String(now))
    tab.tabIndex = now ? 0 : -1
  }
}

/** Show the view, after something was chosen. */
function show(tab) {
  if (tab) chosen.tab = tab
  const view = byId("view")
  if (leave) leave()
  dropPlots()
  showChoices()
  view.replaceChildren()
  view.setAttribute("aria-labelledby", "tab-" + chosen.tab)
  leave = views.find(([id]) => id === chosen.tab)[2](view) || null
  history.replaceState(null, "", `#${chosen.tab}&run=${chosen.run}&other=${chosen.other}`)
}

function fromAddress() {
  const [tab, ...rest] = location.hash.slice(1).split("&")
  if (views.some(([id]) => id === tab)) chosen.tab = tab
  for (const [name, value] of rest.map(part => part.split("="))) {
    const index = Number(value)
    if ((name === "run" || name === "other") && (profile.runs[index] || (name === "other" && index === -1))) chosen[name] = index
  }
}

/* --- theme */

const dark = matchMedia("(prefers-color-scheme: dark)")
let theme = "system"

function applyTheme() {
  document.documentElement.dataset.theme = theme === "system" ? (dark.matches ? "dark" : "light") : theme
  byId("theme").textContent = {system: "Theme: system", light: "Theme: light", dark: "Theme: dark"}[theme]
}

function nextTheme() {
  theme = {system: "light", light: "dark", dark: "system"}[theme]
  try { localStorage.setItem("tally-theme", theme) } catch { /* a file may have no storage */ }
  applyTheme()
  show()
}

function startTheme() {
  try { theme = {light: "light", dark: "dark"}[localStorage.getItem("tally-theme")] || "system" } catch { /* none */ }
  dark.addEventListener("change", () => { applyTheme(); show() })
  applyTheme()
}

/* --- keys */

const keys = [["1 \u2026 8", "views"], ["/", "search"], ["t", "light or dark"], ["Tab", "to the next control"],
  ["arrows, Enter, Escape, c", "flame graph: move, zoom, show all, code"], ["+ \u2212 arrows 0", "charts: zoom, move, show all"],
  ["up, down", "code: the next line"], ["Enter", "table: code of the row"], ["?", "this list"]]

function showKeys() {
  const dialog = byId("keys")
  dialog.replaceChildren(make("h2", {}, "Keys"), make("table", {}, ...keys.map(([key, what]) =>
    make("tr", {}, make("td", {className: "name"}, make("kbd", {}, key)), make("td", {className: "name"}, what)))),
  make("button", {onclick: () => dialog.close()}, "Close"))
  dialog.showModal()
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT)$/.test(event.target.tagName)) return
  const number = Number(event.key)
  if (number >= 1 && number <= views.length) {
    show(views[number - 1][0])
    byId("tab-" + chosen.tab).focus()
  } else if (event.key === "/") byId("search").focus()
  else if (event.key === "t") nextTheme()
  else if (event.key === "?") showKeys()
  else return
  event.preventDefault()
}

function tabKey(event) {
  const step = {ArrowRight: 1, ArrowLeft: -1}[event.key]
  if (!step) return
  const at = views.findIndex(([id]) => id === chosen.tab)
  show(views[(at + step + views.length) % views.length][0])
  byId("tab-" + chosen.tab).focus()
}

function onSearch(event) {
  chosen.search = event.target.value.trim()
  if (chosen.tab === "flame") searchFlame()
  else show()
}

async function start() {
  startTheme()
  try {
    await loadData()
  } catch (error) {
    byId("view").append(make("p", {className: "warn"}, `The profile cannot be read: ${error}`))
    return
  }
  byId("tabs").append(...views.map(([id, text], index) => make("button", {id: "tab-" + id, role: "tab", title: `(${index + 1})`,
    onclick: () => show(id), onkeydown: tabKey}, text)))
  fillChoices()
  if (profile.compare && profile.runs.length > 1) {
    const before = profile.runs[0], after = profile.runs.findIndex(run => run.pair === 1 && run.events === before.events
      && run.interrupted === before.interrupted)
    Object.assign(chosen, {run: after < 0 ? 1 : after, other: 0, tab: "compare"})
  }
  fromAddress()
  byId("run").addEventListener("change", event => { chosen.run = Number(event.target.value); show() })
  byId("other").addEventListener("change", event => { chosen.other = Number(event.target.value); show() })
  byId("metric").addEventListener("change", event => { chosen.metric = event.target.value; show() })
  byId("search").addEventListener("input", onSearch)
  byId("search").addEventListener("keydown", event => {
    if (event.key !== "Escape") return
    event.target.value = ""
    onSearch(event)
    event.target.blur()
  })
  byId("theme").addEventListener("click", nextTheme)
  byId("help").addEventListener("click", showKeys)
  document.addEventListener("keydown", onKey)
  window.addEventListener("hashchange", () => { fromAddress(); show() })
  show()
  document.documentElement.dataset.ready = "yes"
}

start()
