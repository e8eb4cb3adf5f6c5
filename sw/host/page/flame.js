/* SPDX-License-Identifier: Apache-2.0 */
/* The flame graph: functions and what is inlined into them; zoom, search, inverted view, keys. */

const flameView = {inverted: false, lines: false, callers: true, chart: null, root: null, here: null}

/** The names of a spot from the outermost on */
function stackOf(spot) {
  const names = spot.frames.map(frame => frame.name).reverse()
  if (flameView.lines) names.push(lineName(spot))
  return flameView.inverted ? names.reverse() : names
}

/** Does the graph have callers: of samples, or (allCycles) of all cycles of the run, from the simulator? */
const withCallers = () => Boolean(flameView.callers && runNow().callers && !otherRun())

function callersOf(run) {
  return run.callers.map(([names, cycles]) => {
    const list = names.map(name => profile.names[name])
    return [flameView.inverted ? list.reverse() : list, cycles]
  })
}

function flameTree(run, other, metric) {
  const root = {name: "all", value: 0, before: 0, children: [], index: new Map()}
  const add = (stacks, field) => {
    for (const [stack, weight] of stacks) {
      if (!weight) continue
      let node = root
      node[field] += weight
      for (const name of stack) {
        if (!node.index.has(name)) {
          const child = {name, value: 0, before: 0, children: [], index: new Map()}
          node.index.set(name, child)
          node.children.push(child)
        }
        node = node.index.get(name)
        node[field] += weight
      }
    }
  }
  const weighed = spots => spots.map(spot => [stackOf(spot), metric.of(spot.counts)])
  add(withCallers() ? callersOf(run) : weighed(run.spots), "value")
  if (other) add(weighed(other.spots), "before")
  return root
}

/** Red: more than in the other run; blue: less; the more so the larger the change is beside what was there. */
function changeColour(now, before) {
  const change = Math.max(-1, Math.min(1, (now - before) / Math.max(now, before, 1e-9)))
  const part = Math.round(230 - 130 * Math.abs(change))
  return change > 0 ? `rgb(250, ${part}, ${part})` : `rgb(${part}, ${part + 15}, 250)`
}

function nameColour(name) {
  let hash = 2166136261
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 16777619) >>> 0
  return `hsl(${12 + hash % 42}, ${72 + (hash >> 8) % 20}%, ${isDark() ? 58 : 66}%)`
}

function aboutFrame(node, root, metric) {
  const {data} = node
  const all = withCallers() && runNow().allCycles
  const what = all ? "cycles" : metricName(metric)
  const text = `${data.name}: ${asCount(data.value)} ${what}, ${asShare(percent(data.value, root.value))}`
  if (all) return text
  const bound = metric.id === "samples" ? ` \u00b1 ${hundredth.format(chanceOf(runNow(), data.value, root.value))}` : ""
  if (!otherRun()) return text + bound
  return `${text}${bound}; in the other run ${asShare(percent(data.before, root.before))}`
}

const framesShown = () => [...document.querySelectorAll("#flame g.frame")]

function markHere() {
  for (const g of framesShown()) g.classList.toggle("here", flameView.here !== null && g.__data__ === flameView.here)
}

function searchFlame() {
  if (!flameView.chart) return
  if (chosen.search) flameView.chart.search(chosen.search)
  else {
    flameView.chart.clear()
    byId("found").textContent = ""
  }
}

function zoomFlame(node) {
  flameView.here = node
  flameView.chart.zoomTo(node)
  markHere()
}

/** The frame beside, above or below the one that is marked */
function neighbour(node, key) {
  const shown = other => !other.data.hide && other.value > 0
  const towards = flameView.inverted ? "ArrowDown" : "ArrowUp"
  if (key === towards) return (node.children || []).filter(shown).sort((a, b) => b.value - a.value)[0]
  if (key === "ArrowUp" || key === "ArrowDown") return node.parent
  const beside = node.parent ? node.parent.children.filter(shown).sort((a, b) => a.x0 - b.x0) : []
  return beside[beside.indexOf(node) + (key === "ArrowRight" ? 1 : -1)]
}

function flameKey(event) {
  const root = d3.select("#flame").datum()
  const here = flameView.here || root
  if (event.key === "Enter") zoomFlame(here)
  else if (event.key === "Escape") zoomFlame(root)
  else if (event.key === "c") openCode(here.data.name)
  else if (event.key.startsWith("Arrow")) flameView.here = neighbour(here, event.key) || here
  else return
  event.preventDefault()
  event.stopPropagation()
  markHere()
  byId("about").textContent = aboutFrame(flameView.here || root, flameView.root, metricNow())
}

function drawFlame(place) {
  const run = runNow(), other = otherRun(), metric = metricNow()
  const root = flameView.root = flameTree(run, other, metric)
  const about = byId("about")
  flameView.here = null
  place.replaceChildren()
  if (!root.value) {
    flameView.chart = null
    place.textContent = `No ${metric.name} in this run.`
    return
  }
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches
  flameView.chart = flamegraph.default().width(place.clientWidth).cellHeight(19).minFrameSize(0.5).transitionDuration(still ? 0 : 150)
    .inverted(flameView.inverted).sort((a, b) => b.value - a.value || (a.data.name < b.data.name ? -1 : 1)).title("")
    .getName(node => node.data.name)
    .setLabelHandler(node => aboutFrame(node, root, metric))
    .setDetailsHandler(text => { about.textContent = text || "" })
    .setColorMapper(node => node.highlight ? "#d58cff"
      : other ? changeColour(node.data.value / root.value, root.before ? node.data.before / root.before : 0)
        : nameColour(node.data.name))
    .setSearchMatch((node, text) => node.data.name.toLowerCase().includes(text.toLowerCase()))
    .setSearchHandler((found, sum) => {
      byId("found").textContent = `${found.length} found, ${asShare(percent(sum, root.value))} of all`
    })
    .onClick(node => { flameView.here = node; markHere() })
  d3.select(place).datum(root).call(flameView.chart)
  searchFlame()
}

const toggle = (name, text, then) => make("label", {}, make("input", {type: "checkbox", id: name, checked: flameView[name],
  onchange: event => { flameView[name] = event.target.checked; then() }}), text)

function showFlame(view) {
  const place = make("div", {id: "flame", tabIndex: 0, role: "application",
    ariaLabel: "Flame graph: arrows move, Enter zooms, Escape shows all, c opens the code", onkeydown: flameKey})
  const draw = () => drawFlame(place)
  view.append(make("div", {className: "bar"}, toggle("inverted", "inverted: innermost first", draw),
    toggle("lines", "lines", draw), runNow().callers && !otherRun() ? toggle("callers", "callers", () => show()) : null,
    make("button", {id: "reset", onclick: draw}, "Show all"),
    make("span", {id: "found", className: "note"})),
  make("p", {className: "note"}, otherRun() ? "Red: more than in the other run; blue: less."
    : !withCallers() ? "Width: weight. A stack is a function and what is inlined into it. Click or Enter zooms."
    : runNow().allCycles ? "Width: cycles of the whole run in all modes, by call stack, counted by the simulator. Click or Enter zooms."
    : "Width: samples, by call stack, as frame pointers had it. Click or Enter zooms."),
  place, make("p", {id: "about", ariaLive: "polite"}))
  draw()
  let width = place.clientWidth
  const watcher = new ResizeObserver(() => {
    if (place.clientWidth === width || !flameView.chart) return
    width = place.clientWidth
    flameView.chart.width(width).update()
  })
  watcher.observe(place)
  return () => watcher.disconnect()
}
