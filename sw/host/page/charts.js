/* SPDX-License-Identifier: Apache-2.0 */
/* Charts of uPlot in the colours of the page, as wide as their place; zoom by mouse and by keys. */

const palettes = {
  light: ["#0b5cad", "#d9730d", "#18794e", "#a13d9b", "#b8860b", "#0e8f9e", "#c2320a", "#8a94a0"],
  dark: ["#6cb2ff", "#ff9f52", "#4cc38a", "#e08be0", "#e5c04b", "#4fd0de", "#ff8a6b", "#8593a3"]}

const isDark = () => document.documentElement.dataset.theme === "dark"
const colour = index => palettes[isDark() ? "dark" : "light"][index % 8]
const variable = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

let plots = []

function dropPlots() {
  for (const {plot, watcher} of plots) {
    watcher.disconnect()
    plot.destroy()
  }
  plots = []
}

function axis(options) {
  return {stroke: variable("--weak"), grid: {stroke: variable("--grid"), width: 1},
    ticks: {stroke: variable("--grid"), width: 1}, font: "11px system-ui, sans-serif", ...options}
}

/** A y axis that begins with 0 */
const fromZero = {range: (_, low, high) => [0, high > 0 ? high * 1.05 : 1]}

/** Show from..to of the x axis, within `range`. */
function showRange(plot, range, from, to) {
  const width = Math.min(to - from, range[1] - range[0])
  const begin = Math.min(Math.max(from, range[0]), range[1] - width)
  plot.setScale("x", {min: begin, max: begin + width})
}

function zoomByKey(plot, range, event) {
  const {min, max} = plot.scales.x, width = max - min, middle = (min + max) / 2
  const move = {ArrowLeft: -0.2, ArrowRight: 0.2}[event.key]
  const scale = {"+": 0.5, "=": 0.5, "-": 2}[event.key]
  if (event.key === "0" || event.key === "Escape") showRange(plot, range, ...range)
  else if (move) showRange(plot, range, min + move * width, max + move * width)
  else if (scale) showRange(plot, range, middle - scale * width / 2, middle + scale * width / 2)
  else return
  event.preventDefault()
  event.stopPropagation()
}

/** A chart with a heading in `place`; `range` is the whole x axis if it zooms. */
function addChart(place, heading, options, data, range) {
  const box = make("div", {className: "plot"}, make("h2", {}, heading))
  const inside = make("div", range ? {tabIndex: 0, role: "application", ariaLabel: heading + ": + and - zoom, arrows move, 0 all"} : {})
  box.append(inside)
  place.append(box)
  const width = () => Math.max(inside.clientWidth, 120)
  const plot = new uPlot({width: width(), height: 240, padding: [8, 8, 0, 0], cursor: {drag: {x: !!range, y: false}},
    ...options}, data, inside)
  const watcher = new ResizeObserver(() => {
    if (width() !== plot.width) plot.setSize({width: width(), height: plot.height})
  })
  watcher.observe(inside)
  if (range) inside.addEventListener("keydown", event => zoomByKey(plot, range, event))
  plots.push({plot, watcher})
  return plot
}
