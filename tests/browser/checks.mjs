// SPDX-License-Identifier: GPL-3.0-or-later
// What the programs of browser tests share: checks (a line "ok" or "not ok" each), a browser, and axe.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync'];
let passed = 0, failed = 0;

export function is(sentence, got, expected) {
    const same = JSON.stringify(got) === JSON.stringify(expected);
    same ? passed++ : failed++;
    console.log(same ? `ok ${sentence}` : `not ok ${sentence}\n    expected: ${JSON.stringify(expected)}\n    got:      ${JSON.stringify(got)}`);
}

export const holds = (sentence, condition, got) => is(sentence, condition ? true : got === undefined ? false : got, true);
export const json = path => JSON.parse(readFileSync(path, 'utf8'));

// What axe finds serious in a page.
export async function serious(page) {
    const result = await page.evaluate(`${axe}; axe.run(document, {resultTypes: ['violations']})`);
    return result.violations.filter(v => v.impact === 'serious' || v.impact === 'critical').map(v => `${v.id}: ${v.nodes[0].html.slice(0, 120)}`);
}

// Each part is given the browser; the process ends with how it went.
export async function play(parts) {
    const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS });
    try {
        for (const part of parts) {
            await part(browser);
        }
    } catch (error) {
        failed++;
        console.log(`not ok the checks come to their end\n    ${error.stack}`);
    } finally {
        await browser.close();
    }
    console.log(`${passed} passed, ${failed} failed`);
    process.exit(failed === 0 && passed > 0 ? 0 : 1);
}
