/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pictures of the HTML report. The page tells everything without this script; it draws what the tables behind the pictures say.
 *
 * DATA. <script type="application/json" id="data"> holds one object:
 *
 *   {version: 1, kind: "result", from_s, to_s,     seconds of the scenario's day; to_s may be beyond 86400
 *    closed, step_s,                               a closed loop counts from its start; scenario time of one step, of a live page of
 *                                                  one second
 *    stream, cores,                                where a live page listens, and its gateway's cores; else null and 0
 *    runs: [{name, cores,                          a certificate, and the cores that its gateway has
 *            timeline: {at: [seconds of the day], due, logged_in, failed, in_flight: [counts in that step],
 *                       p50_us, p99_us, p100_us, gateway_cores: [...]},          null: not known, or nobody
 *            logged_in, distribution: [[share, us], ...],
 *            band: [[share, low_us, median_us, high_us], ...]}]}                 of simulated mornings
 *   {version: 1, kind: "plan", users, p99_limit_us, peak_limit, rows: [{name, cliff: [FARM, ...], farms: [FARM, ...]}]}
 *   FARM: {users, gateways, p99_us, peak_share, capacity_share}
 *
 * LIVE. Where `stream` is a path, the page opens an EventSource on it and takes these events, their data one JSON object each:
 *
 *   storm    {storm}                               which storm this is; another one than before: the page is loaded anew
 *   step     {text}                                what is being done that takes a moment
 *   point    {certificate, name, repeat,           which one, from 0, its name, and the round
 *             run_ms, at_s,                        since the run's start; and scenario time since the window's
 *             due, started, logged_in, failed, in_flight, by_reason: {},         sums since the run's start
 *             p50_us, p99_us, p100_us, gateway_cores,                            since the last point
 *             start_lag_p99_us}                                                  of all so far
 *                                                  once a second, and at the run's end. Steps are made of the differences, so that a
 *                                                  point that is missing costs nothing but its own second. Null: not known, or nobody
 *   end      {report, text}                        the storm is over, text says how where it ended early; the page becomes the report
 *
 */
'use strict';
(() => {
    const data = JSON.parse(document.getElementById('data').textContent);
    const root = document.documentElement;
    const all = selector => Array.from(document.querySelectorAll(selector));
    const DASHES = [null, [8, 4], [2, 3], [10, 3, 2, 3], [5, 5], [14, 4]];
    const morning = [];  /* charts that share the time axis */
    const charts = [];
    let syncing = false;

    /* ------------------------------------------------------------------------------------------------------------- words */

    const pad = n => String(n).padStart(2, '0');

    function clock(s, precise) {
        const whole = Math.floor(s + 1e-6);
        const rest = s - whole > 0.05 ? '.' + Math.floor((s - whole) * 10 + 1e-6) : '';
        if (data.closed) {
            return whole + rest + ' s';
        }
        const text = pad(Math.floor(whole / 3600) % 24) + ':' + pad(Math.floor(whole / 60) % 60);
        return precise || whole % 60 !== 0 || rest !== '' ? text + ':' + pad(whole % 60) + rest : text;
    }

    /* Three significant digits, as the tables have them. */
    function duration(us) {
        if (us === null || us === undefined || !isFinite(us)) {
            return '-';
        }
        const digits = v => v >= 99.95 ? v.toFixed(0) : v >= 9.995 ? v.toFixed(1) : v.toFixed(2);
        return us < 999.5 ? digits(us) + ' µs' : us < 999500 ? digits(us / 1e3) + ' ms' : digits(us / 1e6) + ' s';
    }

    const tickDuration = us => us < 1e3 ? +us.toPrecision(3) + ' µs' : us < 1e6 ? +(us / 1e3).toPrecision(3) + ' ms' : +(us / 1e6).toPrecision(3) + ' s';
    const count = v => v === null ? '-' : v.toLocaleString('en-US', {maximumFractionDigits: v < 10 ? 2 : 0});
    const cores = v => v === null ? '-' : v < 0.0001 && v > 0 ? '<0.0001' : +v.toPrecision(3) + '';
    const percent = v => v === null ? '-' : +(v * 100).toPrecision(3) + ' %';

    /* ------------------------------------------------------------------------------------------------------------- looks */

    function colour(name) {
        return getComputedStyle(root).getPropertyValue('--' + name).trim();
    }

    const tint = i => colour('c' + i % 6);

    /* -------------------------------------------------------------------------------------------------------------- axes */

    function timeTicks(from, to, pixels) {
        const steps = [0.1, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400];
        const most = Math.max(2, Math.floor(pixels / 75));
        const step = steps.find(s => (to - from) / s <= most) || steps[steps.length - 1];
        const ticks = [];
        for (let v = Math.ceil(from / step - 1e-9) * step; v <= to + 1e-9; v += step) {
            ticks.push({v: v, label: clock(v, step < 60)});
        }
        return ticks;
    }

    /* 1, 2 and 5 of each power of ten, or the powers alone where they are many. */
    function logTicks(from, to, pixels, label) {
        const low = Math.floor(Math.log10(Math.max(from, 1e-9))), high = Math.ceil(Math.log10(Math.max(to, 1e-9)));
        const some = (high - low) * 3 * 22 <= pixels ? [1, 2, 5] : (high - low) * 22 <= pixels ? [1] : null;
        const ticks = [];
        for (let p = low; p <= high; p += some ? 1 : 2) {
            for (const m of some || [1]) {
                const v = m * Math.pow(10, p);
                if (v >= from * 0.999 && v <= to * 1.001) {
                    ticks.push({v: v, label: label(v)});
                }
            }
        }
        return ticks;
    }

    function linearTicks(from, to, pixels, label) {
        const rough = (to - from) / Math.max(2, Math.floor(pixels / 40));
        const power = Math.pow(10, Math.floor(Math.log10(rough || 1)));
        const step = [1, 2, 5, 10].map(m => m * power).find(s => s >= rough) || power;
        const ticks = [];
        for (let v = Math.ceil(from / step - 1e-9) * step; v <= to + step * 1e-6; v += step) {
            const clean = Math.abs(v) < step / 1000 ? 0 : v;
            ticks.push({v: clean, label: label(clean)});
        }
        return ticks;
    }

    /* 90 %, 99 %, 99.9 % equally far apart: x is how many nines. */
    const nines = share => -Math.log10(1 - share);
    const shareText = x => x < 0.05 ? '0 %' : +(100 - 100 * Math.pow(10, -x)).toFixed(Math.max(0, Math.ceil(x - 1.05))) + ' %';

    function nineTicks(from, to) {
        return [0, nines(0.5), 1, 2, 3, 4, 5, 6].filter(v => v >= from - 1e-9 && v <= to + 1e-9)
            .map(v => ({v: v, label: v === 0 ? '0 %' : v < 1 ? '50 %' : shareText(v)}));
    }

    /* ------------------------------------------------------------------------------------------------------------ series */

    /* Each: {x, lines: [{name, tint, dash, values, fill, thin}], y, log, label, xText, underlay} */
    function longest() {
        return data.runs.reduce((best, run) => run.timeline.at.length > best.length ? run.timeline.at : best, []);
    }

    const perMinute = v => v === null || v === undefined ? null : v * 60 / stepSeconds();

    function stepSeconds() {
        return data.step_s > 0 ? data.step_s : 1;
    }

    function ofRuns(field, change) {
        return data.runs.map((run, i) => ({
            name: run.name, tint: 'c' + i % 6, dash: DASHES[i % 6], width: Math.max(2, 5 - 1.5 * i),
            values: run.timeline[field].map(change || (v => v)),
        }));
    }

    const pictures = {
        logins() {
            const due = longest().map((at, i) => perMinute(data.runs.reduce((most, run) => Math.max(most, run.timeline.due[i] || 0), 0)));
            return {
                x: longest(), y: v => count(v) + '', label: v => count(v),
                lines: [{name: 'due', tint: 'muted', dash: null, values: due, fill: true}].concat(ofRuns('logged_in', perMinute)),
            };
        },
        cores() {
            const lines = ofRuns('gateway_cores');
            for (const there of new Set(data.runs.map(run => run.cores))) {
                if (there > 0) {
                    lines.push({name: (there === 1 ? 'there is 1 core' : 'there are ' + there + ' cores'), tint: 'bad', dash: [4, 4], thin: true,
                                values: longest().map(() => there)});
                }
            }
            return {x: longest(), y: cores, label: v => +v.toPrecision(3) + '', lines: lines};
        },
        latency(index) {
            const run = data.runs[index];
            return {
                x: run.timeline.at, log: true, y: duration, label: tickDuration, range: latencyRange(),
                lines: [['p100_us', 'p100', 'c4', null, 5], ['p99_us', 'p99', 'c0', [7, 4]], ['p50_us', 'p50', 'c2', [2, 2]]]
                    .filter(([field]) => run.timeline[field].some(v => v !== null))
                    .map(([field, name, tint, dash, width]) => ({name: name, tint: tint, dash: dash, width: width, values: run.timeline[field]})),
            };
        },
        flight() {
            return {x: longest(), y: count, label: count, lines: ofRuns('in_flight')};
        },
        distribution() {
            const most = run => Math.log10(Math.max(10, 2 * run.logged_in));
            const points = data.runs.map(run => run.distribution.map(([share, us]) => [share >= 1 ? most(run) : Math.min(nines(share), most(run)), us]));
            const x = Array.from(new Set(points.flat().map(p => p[0]))).sort((a, b) => a - b);
            return {
                x: x, log: true, y: duration, label: tickDuration, nines: true,
                lines: data.runs.map((run, i) => {
                    const at = new Map(points[i]);
                    return {name: run.name, tint: 'c' + i % 6, dash: DASHES[i % 6], width: Math.max(2, 4 - i), values: x.map(v => at.has(v) ? at.get(v) : null)};
                }),
                band: data.runs.map((run, i) => ({
                    tint: 'c' + i % 6,
                    points: run.band.map(([share, low, median, high]) => [share >= 1 ? most(run) : nines(share), low, median, high]),
                })),
            };
        },
        'plan-latency'() {
            return ofPlan('cliff', 'users', 'p99_us', data.p99_limit_us, 'target', {log: true, y: duration, label: tickDuration});
        },
        'plan-peak'() {
            const share = data.rows.some(row => row.cliff.some(farm => farm.peak_share !== null)) ? 'peak_share' : 'capacity_share';
            return ofPlan('cliff', 'users', share, share === 'peak_share' ? data.peak_limit : 1, share === 'peak_share' ? 'target' : 'capacity',
                          {y: percent, label: percent});
        },
        'plan-gateways'() {
            const share = data.rows.some(row => row.farms.some(farm => farm.peak_share !== null)) ? 'peak_share' : 'capacity_share';
            return ofPlan('farms', 'gateways', share, share === 'peak_share' ? data.peak_limit : 1, share === 'peak_share' ? 'target' : 'capacity',
                          {y: percent, label: percent});
        },
    };

    function ofPlan(list, by, field, limit, limitName, looks) {
        const x = Array.from(new Set(data.rows.flatMap(row => row[list].map(farm => farm[by])))).sort((a, b) => a - b);
        const lines = data.rows.map((row, i) => {
            const at = new Map(row[list].map(farm => [farm[by], farm[field]]));
            return {name: row.name, tint: 'c' + i % 6, dash: DASHES[i % 6], values: x.map(v => at.has(v) ? at.get(v) : undefined), points: true};
        });
        if (limit !== null && limit > 0) {
            lines.push({name: limitName, tint: 'bad', dash: [4, 4], thin: true, values: x.map(() => limit)});
        }
        return Object.assign({x: x, lines: lines, plain: by, xText: v => count(v) + ' ' + by}, looks);
    }

    /* The same scale for every certificate, so that they can be set beside each other. */
    function latencyRange() {
        let low = Infinity, high = 0;
        for (const run of data.runs) {
            for (const field of ['p50_us', 'p99_us', 'p100_us']) {
                for (const v of run.timeline[field]) {
                    if (v !== null && v > 0) {
                        low = Math.min(low, v);
                        high = Math.max(high, v);
                    }
                }
            }
        }
        return high > 0 ? [low / 1.4, high * 1.4] : [1, 1000];
    }

    function rangeOf(picture) {
        let low = Infinity, high = 0;
        const take = v => {
            if (v !== null && v !== undefined && v > 0) {
                low = Math.min(low, v);
                high = Math.max(high, v);
            }
        };
        picture.lines.forEach(line => line.values.forEach(take));
        (picture.band || []).forEach(band => band.points.forEach(p => p.slice(1).forEach(take)));
        if (high === 0) {
            return picture.log ? [1, 1000] : [0, 1];
        }
        return picture.log ? [low / 1.4, high * 1.4] : [0, high * 1.08];
    }

    function rows(picture) {
        return picture.x.map((x, i) => [x].concat(picture.lines.map(line => {
            const v = line.values[i];
            return v === undefined ? null : picture.log && v !== null && v <= 0 ? null : v;
        })));
    }

    /* ------------------------------------------------------------------------------------------------------------ legend */

    function svg(name, attributes) {
        const element = document.createElementNS('http://www.w3.org/2000/svg', name);
        for (const key of Object.keys(attributes)) {
            element.setAttribute(key, attributes[key]);
        }
        return element;
    }

    /* Where lines coincide, the wider one below still shows. */
    const strokeOf = line => line.fill ? 1 : line.thin ? 1.5 : line.width || 2;

    function legend(chart) {
        chart.legend.textContent = '';
        chart.values = chart.picture.lines.map(line => {
            const item = document.createElement('li'), value = document.createElement('span');
            const sample = svg('svg', {width: 30, height: 10, 'aria-hidden': 'true'});
            sample.append(svg('line', {x1: 1, x2: 29, y1: 5, y2: 5, stroke: colour(line.tint), 'stroke-width': line.fill ? 8 : strokeOf(line),
                                       'stroke-opacity': line.fill ? 0.35 : 1, 'stroke-dasharray': line.dash ? line.dash.join(' ') : 'none'}));
            value.className = 'value';
            item.append(sample, document.createTextNode(line.name), value);
            chart.legend.append(item);
            return value;
        });
        chart.where = document.createElement('li');
        chart.where.className = 'where';
        chart.legend.append(chart.where);
        chart.legend.hidden = false;
    }

    function tell(chart, x) {
        const at = x === null ? -1 : chart.picture.x.indexOf(x);
        chart.where.textContent = at < 0 ? '' : chart.picture.nines ? (at === chart.picture.x.length - 1 ? 'slowest of all' : shareText(x) + ' within')
            : chart.picture.xText ? chart.picture.xText(x) : 'from ' + clock(x);
        chart.picture.lines.forEach((line, i) => {
            const v = at < 0 ? undefined : line.values[at];
            chart.values[i].textContent = v === undefined || v === null ? '' : ' ' + chart.picture.y(v);
        });
    }

    /* ------------------------------------------------------------------------------------------------------------- chart */

    function options(chart) {
        const picture = chart.picture, series = {};
        picture.lines.forEach((line, i) => {
            series['s' + i] = {strokePattern: line.dash, strokeWidth: strokeOf(line), fillGraph: !!line.fill,
                               drawPoints: !!line.points, pointSize: 4, color: colour(line.tint), connectSeparatedPoints: !!line.points || !!picture.nines,
                               highlightCircleSize: line.thin ? 0 : 4};
        });
        return {
            labels: ['x'].concat(picture.lines.map((line, i) => 's' + i)),
            series: series,
            legend: 'never',
            fillAlpha: 0.25,
            valueRange: picture.range || rangeOf(picture),
            gridLineColor: colour('grid'),
            axisLineColor: colour('muted'),
            axisLabelFontSize: root.classList.contains('printing') ? 9 : 12,
            rightGap: 14,
            xRangePad: picture.plain ? 24 : 0,
            interactionModel: model(),
            underlayCallback: picture.band ? (canvas, area, g) => bands(canvas, g, picture) : null,
            axes: {
                x: {ticker: (a, b, pixels) => picture.nines ? nineTicks(a, b)
                                            : picture.plain ? plainTicks(a, b, pixels, picture) : timeTicks(a, b, pixels),
                    axisLabelWidth: 72},
                y: {logscale: !!picture.log, axisLabelWidth: 62,
                    ticker: (a, b, pixels) => picture.log ? logTicks(a, b, pixels, picture.label) : linearTicks(a, b, pixels, picture.label)},
            },
        };
    }

    function plainTicks(from, to, pixels, picture) {
        return picture.plain === 'gateways'
            ? picture.x.filter(v => v >= from && v <= to).map(v => ({v: v, label: count(v)}))
            : linearTicks(from, to, pixels / 2, count);
    }

    /* A finger that moves over a picture moves the page. */
    function model() {
        const own = Object.assign({}, Dygraph.defaultInteractionModel);
        delete own.touchstart;
        delete own.touchmove;
        delete own.touchend;
        own.dblclick = () => act('all');
        return own;
    }

    function bands(canvas, g, picture) {
        for (const band of picture.band) {
            if (band.points.length > 1) {
                canvas.save();
                canvas.fillStyle = colour(band.tint);
                canvas.globalAlpha = 0.18;
                canvas.beginPath();
                band.points.forEach(([x, low]) => canvas.lineTo(g.toDomXCoord(x), g.toDomYCoord(low)));
                band.points.slice().reverse().forEach(([x, , , high]) => canvas.lineTo(g.toDomXCoord(x), g.toDomYCoord(high)));
                canvas.closePath();
                canvas.fill();
                canvas.restore();
            }
        }
    }

    function together(chart, what) {
        if (!syncing) {
            syncing = true;
            (morning.includes(chart) ? morning : [chart]).forEach(what);
            syncing = false;
        }
    }

    function draw(figure) {
        const kind = figure.dataset.picture, picture = pictures[kind](Number(figure.dataset.run));
        const chart = {figure: figure, picture: picture, plot: figure.querySelector('.plot'), legend: figure.querySelector('.legend')};
        if (picture.x.length === 0 || picture.lines.length === 0) {
            if (!data.stream) {
                figure.classList.add('empty');
                return;
            }
            picture.x = picture.x.length > 0 ? picture.x : [data.from_s];
            if (picture.lines.length === 0) {
                return;
            }
        }
        legend(chart);
        const looks = options(chart);
        looks.drawCallback = (g, first) => {
            if (!first) {
                spread(chart, g);
            }
        };
        looks.highlightCallback = (event, x) => together(chart, other => {
            tell(other, x);
            if (other !== chart) {
                const row = other.g.getRowForX(x);
                if (row === null) {
                    other.g.clearSelection();
                } else {
                    other.g.setSelection(row);
                }
            }
        });
        looks.unhighlightCallback = () => together(chart, other => {
            tell(other, null);
            if (other !== chart) {
                other.g.clearSelection();
            }
        });
        if (!picture.nines && !picture.plain) {
            morning.push(chart);
            looks.dateWindow = span();
        }
        chart.g = new Dygraph(chart.plot, rows(picture), looks);
        charts.push(chart);
    }

    /* From the window's beginning to the last thing that happened. */
    function span() {
        const at = longest(), last = at.length > 0 ? at[at.length - 1] : data.to_s;
        const from = at.length > 0 ? Math.min(at[0], data.from_s) : data.from_s;
        return [from, Math.max(data.closed ? 0 : data.to_s, last, from + stepSeconds())];
    }

    function showSpan() {
        const out = document.querySelector('.tools .span');
        if (out && morning.length > 0) {
            const [from, to] = morning[0].g.xAxisRange();
            out.textContent = clock(from) + ' to ' + clock(to);
        }
    }

    function spread(chart, g) {
        if (morning.includes(chart)) {
            const range = g.xAxisRange();
            together(chart, other => {
                const its = other.g.xAxisRange();
                if (other !== chart && (its[0] !== range[0] || its[1] !== range[1])) {
                    other.g.updateOptions({dateWindow: range});
                }
            });
            showSpan();
        }
    }

    function show(from, to) {
        const [least, most] = span();
        const width = Math.min(Math.max(to - from, 4 * stepSeconds()), most - least);
        const begin = Math.min(Math.max((from + to - width) / 2, least), most - width);
        if (morning.length > 0) {
            morning[0].g.updateOptions({dateWindow: [begin, begin + width]});
        }
    }

    function act(what) {
        if (morning.length === 0) {
            return;
        }
        const [from, to] = morning[0].g.xAxisRange(), width = to - from, [least, most] = span();
        if (what === 'all') {
            show(least, most);
            charts.forEach(chart => chart.g.updateOptions({valueRange: chart.picture.range || rangeOf(chart.picture)}));
        } else if (what === 'closer') {
            show(from + width / 4, to - width / 4);
        } else if (what === 'wider') {
            show(from - width / 2, to + width / 2);
        } else {
            const by = Math.min(width / 3, what === 'earlier' ? from - least : most - to) * (what === 'earlier' ? -1 : 1);
            show(from + by, to + by);
        }
    }

    /* -------------------------------------------------------------------------------------------------------- all of it */

    function drawAll() {
        const before = morning.length > 0 ? morning[0].g.xAxisRange() : null;
        charts.forEach(chart => chart.g.destroy());
        charts.length = morning.length = 0;
        all('figure[data-picture]').forEach(draw);
        if (before !== null && !data.stream && morning.length > 0) {
            morning[0].g.updateOptions({dateWindow: before});
        }
        showSpan();
    }

    /* The same canvases, drawn anew: one that is made now would still be empty on paper. */
    function printing(on) {
        root.classList.toggle('printing', on);
        charts.forEach(repaint);
    }

    function repaint(chart) {
        const looks = options(chart);
        delete looks.valueRange;
        legend(chart);
        chart.g.resize();
        chart.g.updateOptions(looks);
    }

    /* The legends are ours; dygraphs' own sets style attributes, which the page's policy refuses. */
    Dygraph.PLUGINS = Dygraph.PLUGINS.filter(plugin => plugin !== Dygraph.Plugins.Legend);
    root.classList.add('scripted');
    all('.tools, .hint').forEach(element => { element.hidden = false; });
    all('.tools button').forEach(button => button.addEventListener('click', () => act(button.dataset.do)));
    drawAll();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => charts.forEach(repaint));
    addEventListener('beforeprint', () => printing(true));
    addEventListener('afterprint', () => printing(false));

    /* -------------------------------------------------------------------------------------------------------------- live */

    const SUMS = ['due', 'logged_in', 'failed'], LEVELS = ['p50_us', 'p99_us', 'p100_us', 'gateway_cores'];
    const STEPS_MAX = 600;
    const second = stepSeconds(); /* what a second of the storm is in the scenario's time */
    let waiting = null, storm = null, doing = '', over = false;

    const status = text => {
        const line = document.getElementById('live');
        if (line !== null && line.textContent !== text) {
            line.textContent = text;
        }
    };

    function newRun(point) {
        const index = data.runs.length, like = document.querySelector('figure[data-picture="flight"]');
        const figure = like.cloneNode(true), row = document.createElement('tr');
        data.runs.push({name: String(point.name), certificate: point.certificate, cores: data.cores, timeline: {at: []}, logged_in: 0,
                        distribution: [], band: [], points: []});
        figure.dataset.picture = 'latency';
        figure.dataset.run = index;
        figure.querySelector('h3').textContent = 'Login latency, ' + point.name;
        figure.querySelector('figcaption').textContent = 'From the moment a user was due.';
        figure.querySelector('.plot').textContent = '';
        figure.querySelector('.plot').setAttribute('aria-label', 'Picture: Login latency, ' + point.name);
        like.before(figure);
        document.querySelector('#now tbody').append(row);
        document.getElementById('now').hidden = false;
        return data.runs[index];
    }

    /* The second in which a point's news came: those that are told at a second's end come a little later. */
    const secondOf = point => Math.max(0, Math.ceil(point.run_ms / 1000 - 0.15) - 1);

    /* The steps of one run, each so many seconds, out of its sums. */
    function makeSteps(run, seconds) {
        const timeline = {at: []}, last = run.points[run.points.length - 1];
        const steps = Math.floor(secondOf(last) / seconds) + 1;
        let before = {due: 0, logged_in: 0, failed: 0}, next = 0;
        SUMS.concat(LEVELS, 'in_flight').forEach(field => { timeline[field] = []; });
        for (let step = 0; step < steps; step++) {
            const own = [];
            while (next < run.points.length && Math.floor(secondOf(run.points[next]) / seconds) <= step) {
                own.push(run.points[next++]);
            }
            const now = own.length > 0 ? own[own.length - 1] : null;
            timeline.at.push((data.closed ? 0 : data.from_s) + step * seconds * second);
            SUMS.forEach(field => timeline[field].push(now === null || now[field] === null ? null : now[field] - before[field]));
            timeline.in_flight.push(now === null ? null : Math.max(...own.map(point => point.in_flight)));
            LEVELS.forEach(field => {
                const known = own.map(point => point[field]).filter(v => v !== null);
                timeline[field].push(known.length === 0 ? null : Math.max(...known));
            });
            before = now === null ? before : now;
        }
        run.timeline = timeline;
    }

    function reasons(point) {
        const each = Object.keys(point.by_reason).map(reason => reason.replace(/_/g, ' ') + ' ' + count(point.by_reason[reason]));
        return count(point.failed) + (each.length > 0 ? ' (' + each.join(', ') + ')' : '');
    }

    function showNow() {
        data.runs.forEach((run, i) => {
            const point = run.points[run.points.length - 1], row = document.querySelector('#now tbody').rows[i];
            const cells = [clock(data.closed ? point.run_ms / 1000 : data.from_s + point.at_s, true), count(point.due), count(point.logged_in), count(point.in_flight),
                           reasons(point), duration(point.p50_us), duration(point.p99_us), duration(point.p100_us), cores(point.gateway_cores),
                           duration(point.start_lag_p99_us)];
            row.replaceChildren(...[run.name + (point.repeat > 1 ? ', round ' + point.repeat : '')].concat(cells).map((text, at) => {
                const cell = document.createElement(at === 0 ? 'th' : 'td');
                cell.textContent = text;
                if (at === 0) {
                    cell.scope = 'row';
                } else if (at === 5 && point.failed > 0) {
                    cell.className = 'bad';
                }
                return cell;
            }));
        });
    }

    /* Where nobody looks closer the pictures go with the storm. */
    function refresh() {
        const most = Math.max(0, ...data.runs.map(run => secondOf(run.points[run.points.length - 1]) + 1));
        const seconds = Math.max(1, Math.ceil(most / STEPS_MAX)), shown = morning.length > 0 ? morning[0].g.xAxisRange() : null;
        const whole = shown === null || morning[0].whole === undefined || Math.abs(shown[0] - morning[0].whole[0]) + Math.abs(shown[1] - morning[0].whole[1]) < 1e-6;
        data.step_s = seconds * second;
        data.runs.forEach(run => makeSteps(run, seconds));
        const drawn = charts.map(chart => pictures[chart.figure.dataset.picture](Number(chart.figure.dataset.run)));
        if (charts.length < all('figure[data-picture]').length || drawn.some((picture, i) => picture.lines.length !== charts[i].picture.lines.length)) {
            drawAll();
        } else {
            syncing = true; /* each is told by this */
            drawn.forEach((picture, i) => {
                const looks = {file: rows(picture), valueRange: picture.range || rangeOf(picture)};
                if (morning.includes(charts[i]) && whole) {
                    looks.dateWindow = span();
                }
                charts[i].picture = picture;
                charts[i].g.updateOptions(looks);
            });
            syncing = false;
            showSpan();
        }
        if (morning.length > 0 && whole) {
            morning[0].whole = span();
        }
        showNow();
    }

    /* Many points at once are one drawing. */
    function later() {
        waiting = waiting || setTimeout(() => {
            waiting = null;
            if (!over) {
                refresh();
            }
        }, 100);
    }

    function addPoint(point) {
        const run = data.runs.find(other => other.certificate === point.certificate) || newRun(point);
        const last = run.points[run.points.length - 1];
        if (last !== undefined && last.repeat !== point.repeat) {
            run.points = [];
        }
        run.points.push(point);
        status(point.name + (point.repeat > 1 ? ', round ' + point.repeat : '') + ' is under way.');
        later();
    }

    /* The report takes this page's place, whole or not at all: by then its server may be gone. */
    function become(html) {
        over = true;
        charts.forEach(chart => chart.g.destroy());
        charts.length = 0;
        document.open();
        document.write(html);
        document.close();
    }

    function end(told) {
        const where = told.report === null ? ' There is no report.' : ' The report is in ' + told.report + '.';
        const text = told.text === null ? 'The storm is over.' : 'The storm is over: ' + told.text + '.';
        status(text);
        if (told.report !== null) {
            fetch('report.html', {cache: 'no-store'}).then(answer => answer.ok ? answer.text() : Promise.reject(answer.status))
                .then(become).catch(() => status(text + where));
        } else {
            status(text + where);
        }
    }

    function listen() {
        const source = new EventSource(data.stream);
        const on = (name, what) => source.addEventListener(name, event => what(JSON.parse(event.data)));
        on('storm', told => {
            if (storm !== null && storm !== told.storm) {
                location.reload();
            }
            storm = told.storm;
            status(doing || 'The storm is about to begin.');
        });
        on('step', told => {
            doing = told.text[0].toUpperCase() + told.text.slice(1) + '.';
            status(doing);
        });
        on('point', addPoint);
        on('end', told => {
            source.close();
            end(told);
        });
        source.onerror = () => status('The connection to the storm is lost; trying again. What is shown is what was heard until then.');
    }

    window.loginstorm = {data: data, charts: charts, point: addPoint, end: end};
    if (data.stream) {
        all('figure details').forEach(element => element.remove());
        listen();
    }
})();
