// SPDX-License-Identifier: GPL-3.0-or-later
// What the pages show and do in a browser: report.mjs FOLDER, with live/, simulated/, ... in it. A line "ok" or "not ok" a check.
import { holds, is, json as read, play, serious } from './checks.mjs';

const folder = process.argv[2];
const json = name => read(`${folder}/${name}`);
const address = name => `file://${folder}/${name}/report.html`;

// A page that tells of everything that it should not do.
async function open(browser, name, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage(), noise = [];
    page.on('console', message => noise.push(`console: ${message.text()}`));
    page.on('pageerror', error => noise.push(`error: ${error.message}`));
    page.on('dialog', dialog => { noise.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
    page.on('request', request => { if (request.url() !== address(name)) { noise.push(`request: ${request.url()}`); } });
    await page.goto(address(name));
    return { page, noise, close: () => context.close() };
}

// Of each picture how many pixels of its canvas are not blank.
const ink = page => page.evaluate(() => Array.from(document.querySelectorAll('figure[data-picture] .plot')).map(plot => {
    const canvas = plot.querySelector('canvas');
    if (canvas === null) { return 0; }
    const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    let count = 0;
    for (let i = 3; i < pixels.length; i += 4) { count += pixels[i] > 0; }
    return count;
}));

const overflow = page => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
const ranges = page => page.evaluate(() => loginstorm.charts.filter(chart => !chart.picture.nines).map(chart => chart.g.xAxisRange()));

function duration(us) {
    const digits = v => v >= 99.95 ? v.toFixed(0) : v >= 9.995 ? v.toFixed(1) : v.toFixed(2);
    return us < 999.5 ? `${digits(us)} µs` : us < 999500 ? `${digits(us / 1e3)} ms` : `${digits(us / 1e6)} s`;
}

async function everyPage(browser) {
    for (const name of ['live', 'simulated', 'plan', 'comparison', 'loops', 'hostile', 'hostile-plan']) {
        const { page, noise, close } = await open(browser, name);
        const drawn = await ink(page);
        is(`${name}: nothing on the console, no dialog, no request but for the page itself`, noise, []);
        holds(`${name}: every picture has ink`, drawn.every(pixels => pixels > 100) && (drawn.length > 0 || name === 'comparison'), drawn);
        is(`${name}: axe finds nothing serious`, await serious(page), []);
        is(`${name}: it has one title, one main part and a language`, await page.evaluate(() =>
            [document.querySelectorAll('h1').length, document.querySelectorAll('main').length, document.documentElement.lang]), [1, 1, 'en']);
        await close();
    }
}

async function figures(browser, name) {
    const result = json(`${name}/result.json`), { page, close } = await open(browser, name);
    const data = await page.evaluate(() => loginstorm.data);
    const cells = await page.evaluate(() => Array.from(document.querySelectorAll('#figures tbody tr')).map(row => Array.from(row.children).map(cell => cell.textContent)));
    is(`${name}: every certificate has its row, with who got in, who did not, p50, p99 and p100`,
        cells.map(row => row.slice(0, 6)), result.runs.map(run => [run.certificate, run.logins.logged_in.toLocaleString('en-US'), run.logins.failed.toLocaleString('en-US'),
            ...['p50', 'p99', 'p100'].map(q => duration(run.latency_us.login[q]))]));
    for (const field of ['due', 'logged_in', 'failed']) {
        is(`${name}: what is drawn adds up to the result's timeline: ${field}`, data.runs.map(run => run.timeline[field].reduce((a, b) => a + b, 0)),
            result.runs.map(run => run.timeline.reduce((sum, slice) => sum + slice[field], 0)));
    }
    for (const field of ['p50_us', 'p99_us', 'p100_us', 'in_flight']) {
        const written = field === 'in_flight' ? 'peak_in_flight' : field;

        is(`${name}: the largest that is drawn is the result's: ${field}`, data.runs.map(run => Math.max(...run.timeline[field])),
            result.runs.map(run => Math.max(...run.timeline.map(slice => slice[written]))));
    }
    is(`${name}: the distribution is the result's, point by point`, data.runs.map(run => run.distribution.map(point => point[1])),
        result.runs.map(run => run.distribution_us.login.map(point => point[1])));
    is(`${name}: the distribution ends with the slowest`, data.runs.map(run => run.distribution[run.distribution.length - 1][1]),
        result.runs.map(run => run.latency_us.login.p100));
    await close();
}

async function exact(browser) {
    const result = json('simulated/result.json'), { page, close } = await open(browser, 'simulated');
    const data = await page.evaluate(() => loginstorm.data);
    const rows = run => run.timeline.map(slice => [slice.due, slice.logged_in, slice.p50_us, slice.p99_us, slice.p100_us]);
    is('simulated: where the slices are few they are drawn as they are', data.runs.map(run => run.timeline.at.map((at, i) =>
        ['due', 'logged_in', 'p50_us', 'p99_us', 'p100_us'].map(field => run.timeline[field][i]))), result.runs.map(rows));
    is('simulated: at the local time of the scenario, whatever the reader\'s clock says', [data.runs[0].timeline.at[0], data.to_s], [8 * 3600, 8.5 * 3600]);
    is('simulated: the band is the middle 95 % of the mornings', data.runs.map(run => run.band.map(point => point.slice(1))),
        result.runs.map(run => ['p50', 'p95', 'p99', 'p100'].map(q => ['low', 'median', 'high'].map(of => run.mornings.login_us[q][of]))));
    await close();
}

async function answers(browser) {
    const { page, close } = await open(browser, 'simulated');
    const said = await page.textContent('#answer');
    const met = json('simulated/result.json').targets.every(target => target.met);
    holds('simulated: the answer agrees with the targets', met === said.includes('Yes with'), said);
    await close();
    const live = await open(browser, 'live'), verdicts = json('live/result.json').runs.map(run => run.validity.verdict);
    const words = await live.page.textContent('#answer');
    is('live: an invalid measurement is said before everything else', words.trim().startsWith('Does it stand?\nDo not decide by this') || words.includes('Do not decide by this'),
        verdicts.every(verdict => verdict === 'invalid'));
    await live.close();
}

async function placeOf(page, picture) {
    const plot = page.locator(`figure[data-picture="${picture}"] .plot`);
    await plot.scrollIntoViewIfNeeded();
    return plot.boundingBox();
}

async function hover(browser) {
    const { page, noise, close } = await open(browser, 'simulated');
    const box = await placeOf(page, 'logins');
    await page.mouse.move(box.x + box.width * 0.4, box.y + box.height * 0.5);
    await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.5);
    const told = await page.evaluate(() => Array.from(document.querySelectorAll('figure[data-picture="logins"] .legend .value')).map(value => value.textContent.trim()));
    const where = await page.evaluate(() => Array.from(document.querySelectorAll('figure:not([data-picture="distribution"]) .legend .where')).map(item => item.textContent));
    const data = await page.evaluate(() => loginstorm.data);
    const at = 3600 * Number(where[0].slice(5, 7)) + 60 * Number(where[0].slice(8, 10)), row = data.runs[0].timeline.at.indexOf(at);
    holds('hovering tells the values of that minute', row >= 0 && Number(told[0].replace(',', '')) === data.runs[0].timeline.due[row] * 60 / data.step_s, told);
    holds('in every picture of the morning at once', where.length > 3 && where.every(text => text === where[0] && text !== ''), where);
    await page.mouse.move(5, 5);
    is('and no longer when the mouse is gone', await page.evaluate(() => document.querySelector('.legend .where').textContent), '');
    is('without a word on the console', noise, []);
    await close();
}

async function zoom(browser) {
    const { page, noise, close } = await open(browser, 'simulated');
    const before = await ranges(page), box = await placeOf(page, 'cores');
    is('all pictures of the morning begin with the whole of it', before.map(range => range[0] <= 28800 && range[1] >= 30600 - 60), before.map(() => true));
    await page.mouse.move(box.x + box.width * 0.4, box.y + box.height * 0.5);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, box.y + box.height * 0.5, { steps: 5 });
    await page.mouse.up();
    const closer = await ranges(page);
    holds('a drag looks closer', closer[0][1] - closer[0][0] < 0.6 * (before[0][1] - before[0][0]), closer[0]);
    is('in all of them', closer.map(range => range.map(Math.round)), closer.map(() => closer[0].map(Math.round)));
    await page.mouse.dblclick(box.x + box.width * 0.5, box.y + box.height * 0.5);
    await page.waitForTimeout(300);
    is('a double click shows the whole again', (await ranges(page)).map(range => range.map(Math.round)), before.map(range => range.map(Math.round)));
    await page.focus('button[data-do="closer"]');
    await page.keyboard.press('Enter');
    const pressed = await ranges(page);
    holds('a key does as well', Math.abs((pressed[0][1] - pressed[0][0]) - (before[0][1] - before[0][0]) / 2) < 1, pressed[0]);
    await page.focus('button[data-do="later"]');
    await page.keyboard.press('Space');
    holds('and goes on to later', (await ranges(page))[0][0] > pressed[0][0]);
    await page.click('button[data-do="all"]');
    is('and back', (await ranges(page)).map(range => range.map(Math.round)), before.map(range => range.map(Math.round)));
    is('all of that without a word on the console', noise, []);
    await close();
}

async function withoutScript(browser) {
    for (const name of ['live', 'simulated', 'plan']) {
        const { page, close } = await open(browser, name, { javaScriptEnabled: false });
        const figures = page.locator('figure'), count = await figures.count();
        let told = 0, blank = 0;
        for (let i = 0; i < count; i++) {
            await figures.nth(i).locator('summary').click();
            told += await figures.nth(i).locator('details table tbody tr').first().isVisible().catch(() => false) ? 1 : await figures.nth(i).locator('details p').first().isVisible() ? 1 : 0;
            blank += await figures.nth(i).locator('.plot').isVisible() ? 1 : 0;
        }
        holds(`${name} without script: behind each picture opens what it says`, count > 0 && told === count, [told, count]);
        is(`${name} without script: no empty frame stands for a picture`, blank, 0);
        holds(`${name} without script: the answer is there`, (await page.locator('#answer p').first().innerText()).length > 20);
        is(`${name} without script: no button that would do nothing`, await page.locator('button:visible').count(), 0);
        await close();
    }
}

async function looks(browser) {
    const brightness = page => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor.match(/\d+/g).map(Number).reduce((a, b) => a + b, 0) / 3);
    const dark = await open(browser, 'simulated', { colorScheme: 'dark' }), light = await open(browser, 'simulated', { colorScheme: 'light' });
    holds('dark where the reader has it dark', await brightness(dark.page) < 50);
    holds('light where not', await brightness(light.page) > 230);
    is('dark: axe finds nothing serious', await serious(dark.page), []);
    holds('dark: every picture has ink', (await ink(dark.page)).every(pixels => pixels > 100));
    await dark.page.emulateMedia({ colorScheme: 'light' });
    await dark.page.waitForTimeout(100);
    holds('and it follows a change', (await ink(dark.page)).every(pixels => pixels > 100) && await brightness(dark.page) > 230);
    await dark.close();
    await light.close();
    for (const [name, width, height] of [['live', 390, 844], ['simulated', 390, 844], ['plan', 390, 844], ['hostile', 390, 844], ['simulated', 3840, 2160]]) {
        const { page, close } = await open(browser, name, { viewport: { width, height } });
        holds(`${name} at ${width} px: nothing to scroll sideways`, await overflow(page) <= 0, await overflow(page));
        const wide = await page.evaluate(() => Array.from(document.querySelectorAll('.plot')).map(plot => plot.getBoundingClientRect().width));
        holds(`${name} at ${width} px: pictures are of a size that can be read`, wide.every(w => w > 250 && w < 2000), wide);
        if (width === 390) {
            is(`${name} at ${width} px: axe finds nothing serious`, await serious(page), []);
        }
        await close();
    }
}

async function print(browser) {
    for (const name of ['live', 'simulated', 'plan']) {
        const { page, noise, close } = await open(browser, name, { colorScheme: 'dark' });
        const paper = (await page.pdf({ format: 'A4', printBackground: true })).toString('latin1');
        const boxes = paper.match(/\/MediaBox \[0 0 [\d.]+ [\d.]+\]/g) || [];
        holds(`${name} on paper: pages of A4`, boxes.length > 0 && boxes.every(box => /\[0 0 59[45][\d.]* 84[12][\d.]*\]/.test(box)), boxes.slice(0, 2));
        is(`${name} on paper: in silence`, noise, []);
        await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
        const widths = await page.evaluate(() => Array.from(document.querySelectorAll('.plot')).map(plot => plot.getBoundingClientRect().width));
        holds(`${name} on paper: two pictures beside each other`, widths.every(w => w > 250 && w < 345), widths);
        holds(`${name} on paper: black on white, even where the screen is dark`, await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor) === 'rgb(255, 255, 255)');
        await page.evaluate(() => dispatchEvent(new Event('afterprint')));
        holds(`${name}: and afterwards as before`, (await ink(page)).every(pixels => pixels > 100));
        await close();
    }
}

async function keyboard(browser) {
    const { page, close } = await open(browser, 'simulated');
    let reached = false;
    for (let i = 0; i < 60 && !reached; i++) {
        await page.keyboard.press('Tab');
        reached = await page.evaluate(() => document.activeElement.tagName === 'SUMMARY');
    }
    holds('the Tab key reaches what is behind a picture', reached);
    await page.keyboard.press('Enter');
    holds('and Enter opens it', await page.evaluate(() => document.activeElement.parentElement.open));
    await close();
}

async function hostile(browser) {
    for (const [name, of] of [['hostile', 'result.json'], ['hostile-plan', 'plan.json']]) {
        const { page, close } = await open(browser, name), scenario = json(`${name}/${of}`).scenario.name;
        is(`${name}: its name is its title, as it was given`, [await page.title(), await page.textContent('h1')], [scenario, scenario]);
        is(`${name}: and makes no element`, await page.evaluate(() => [document.images.length, document.querySelectorAll('[onload], [onerror]').length, document.scripts.length]), [0, 0, 3]);
        is(`${name}: nor do the names of certificates`, await page.evaluate(() => Array.from(document.querySelectorAll('svg')).filter(svg => svg.closest('.legend, .bar') === null).length), 0);
        await close();
    }
}

await play([
    everyPage, browser => figures(browser, 'live'), browser => figures(browser, 'simulated'), exact, answers, hover, zoom, withoutScript, looks, print,
    keyboard, hostile,
]);
