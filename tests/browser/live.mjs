// SPDX-License-Identifier: GPL-3.0-or-later
// What the live page shows and does in a browser: live.mjs LOGINSTORM FOLDER, with scenarios in it. A line "ok" or "not ok" a check.
import { spawn } from 'node:child_process';
import { holds, is, json, play, serious } from './checks.mjs';

const [program, folder] = process.argv.slice(2);
const result = name => json(`${folder}/${name}/result.json`);

// A storm with its page, by its address.
function storm(name, out) {
    const child = spawn(program, ['run', `${name}.yaml`, '--out', out, '--quiet', '--live=127.0.0.1:0'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = new Promise(resolve => child.on('exit', resolve));
    const url = new Promise((resolve, reject) => {
        let said = '';
        child.stderr.on('data', part => {
            said += part;
            const found = /^live page: (\S+)$/m.exec(said);
            if (found !== null) { resolve(found[1]); }
        });
        child.on('exit', () => reject(new Error(said)));
    });
    return url.then(address => ({ child, ended, url: address }));
}

async function look(browser, url) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } }), noise = [], asked = [];
    await page.addInitScript(`window.snapshot = ${snapshot}`);
    page.on('console', message => {
        if (!/willReadFrequently/.test(message.text())) { noise.push(`console: ${message.text()}`); } // that is snapshot()'s doing
    });
    page.on('pageerror', error => noise.push(`error: ${error.message}`));
    page.on('dialog', dialog => { noise.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
    page.on('request', request => asked.push(request.url().replace(url, '/')));
    await page.goto(url, { waitUntil: 'domcontentloaded' });
    return { page, noise, asked };
}

// What there is on a page, at one moment: it goes on, and becomes the report.
function snapshot() {
    const runs = window.loginstorm.data.runs;
    return {
        rows: Array.from(document.querySelectorAll('#now tbody tr')).map(row => Array.from(row.cells).map(cell => cell.textContent)),
        ink: Array.from(document.querySelectorAll('figure[data-picture] .plot')).map(plot => {
            const canvas = plot.querySelector('canvas');
            const pixels = canvas === null ? [] : canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
            return pixels.filter((value, i) => i % 4 === 3 && value > 0).length;
        }),
        sums: ['due', 'logged_in', 'failed'].map(field => runs[0].timeline[field].reduce((a, b) => a + b, 0)),
        times: (runs[0].points || []).map(point => point.run_ms),
        figures: Array.from(document.querySelectorAll('#figures tbody tr')).map(row => row.cells[1].textContent),
    };
}

// The page's snapshot once that run has so many logins and all of it is drawn.
const once = async (page, run, least) => (await page.waitForFunction(([i, n]) => {
    const point = window.loginstorm?.data.runs[i]?.points?.at(-1), row = document.querySelectorAll('#now tbody tr')[i];
    return point !== undefined && point.logged_in >= n && row?.cells[3]?.textContent === point.logged_in.toLocaleString('en-US') && window.snapshot();
}, [run, least], { timeout: 0 })).jsonValue();
const report = async page => (await page.waitForFunction(() => document.querySelector('#figures tbody tr') !== null && window.snapshot(), null, { timeout: 0 })).jsonValue();

async function watched(browser) {
    const run = await storm('outage', 'outage'), { page, noise, asked } = await look(browser, run.url);
    const first = await once(page, 0, 1), late = await look(browser, run.url), other = await once(late.page, 0, 1);
    holds('who comes late has all points', other.times.length >= first.times.length && first.times.every((ms, i) => ms === other.times[i]), [first.times, other.times]);
    is('axe finds nothing serious in a live page', await serious(page), []);
    const both = await once(page, 1, 1);
    is('a certificate has a row, by its name', both.rows.map(row => row[0]), ['</script><script>alert(2)</script>', '"><svg onload=alert(3)>']);
    holds('figures move', Number(both.rows[0][3]) > Number(first.rows[0][3]), [first.rows, both.rows]);
    is('at its end all are in', both.rows[0].slice(2, 6), ['900', '900', '0', '0']);
    holds('every picture has ink', both.ink.length === 5 && both.ink.every(pixels => pixels > 100), both.ink);
    is('what is drawn adds up', both.sums, [900, 900, 0]);
    await run.ended;
    for (const [who, tab] of [['the page', page], ['the late one', late.page]]) {
        const after = await report(tab);
        is(`${who}: became the report, which stays when the storm's program has ended`, after.figures, ['900', '900']);
        holds(`${who}: the report has its pictures`, after.ink.length > 5 && after.ink.every(pixels => pixels > 100), after.ink);
    }
    const canvases = () => page.evaluate(() => document.querySelectorAll('.plot canvas').length), before = await canvases();
    await page.emulateMedia({ colorScheme: 'dark' });
    is('in the dark it draws those, and no others', await canvases(), before);
    is('it asked its own server alone', [...new Set(asked)].sort(), ['/', '/events', '/report.html']);
    is('nothing on the console, and no name was taken for markup', noise.concat(late.noise), []);
    is('the result is whole', result('outage').runs.map(one => one.logins.logged_in), [900, 900]);
}

async function stopped(browser) {
    const run = await storm('long', 'stopped'), { page, noise } = await look(browser, run.url);
    await once(page, 0, 1);
    run.child.kill('SIGINT');
    is('a storm that is stopped has its status', await run.ended, 130);
    await report(page);
    holds('its page became the report of what there was', /SIGINT/.test(await page.evaluate(() => document.body.textContent)));
    is('without a word on the console', noise, []);
}

async function abandoned(browser) {
    const run = await storm('long', 'abandoned'), { page } = await look(browser, run.url);
    const before = (await once(page, 0, 1)).rows.length;
    run.child.kill('SIGKILL');
    await run.ended;
    await page.waitForFunction(() => /connection to the storm is lost/.test(document.getElementById('live').textContent), null, { timeout: 0 });
    is('a page whose storm has died says so, and keeps what it had', (await page.evaluate(() => window.snapshot())).rows.length, before);
}

async function closed(browser) {
    const run = await storm('loops', 'loops'), { page, noise } = await look(browser, run.url);
    is('in a closed loop nobody is due', (await once(page, 0, 1)).rows[0][2], '-');
    await run.ended;
    await report(page);
    is('a closed loop: nothing on the console', noise, []);
}

await play([watched, stopped, abandoned, closed]);
