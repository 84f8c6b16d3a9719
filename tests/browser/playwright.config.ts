import { existsSync } from 'node:fs';
import { defineConfig, type LaunchOptions } from '@playwright/test';

// Playwright's own list, which a flag of ours replaces, and what is loaded into
// each new window though nobody sees it: the lists below the address bar.
const unwanted = [
  'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay', 'MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch',
  'AutofillServerCommunication', 'WebUIOmniboxPopup', 'WebUIOmniboxFullPopup', 'WebUIOmniboxAimPopup',
];

// The system's own Chromium, started so that it talks to nobody but Beckon. Its shell
// without windows has the same engine, and a fifth less to do.
const chromium: LaunchOptions = {
  executablePath: ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync),
  args: [
    '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync',
    // Its own words with its maker, which tests/netjail would count as attempts.
    '--gaia-url=http://127.0.0.1:9', '--component-updater=url-source=http://127.0.0.1:9',
    // Where it would fetch a dictionary once somebody types.
    '--host-resolver-rules=MAP redirector.gvt1.com 127.0.0.1:9',
    `--disable-features=${unwanted.join(',')}`,
  ],
};

export default defineConfig({
  globalSetup: './support/build.ts',
  outputDir: '../out/browser',
  reporter: [['list']],
  timeout: 60_000,
  expect: { timeout: 10_000 },
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  use: {
    browserName: 'chromium',
    launchOptions: chromium,
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    actionTimeout: 10_000,
    navigationTimeout: 15_000,
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'specs', testDir: './specs' },
    { name: 'screenshots', testDir: './screenshots', timeout: 120_000 },
  ],
});
