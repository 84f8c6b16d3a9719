import { existsSync } from 'node:fs';
import type { LaunchOptions } from '@playwright/test';

// Playwright's own list, which a flag of ours replaces, and what is loaded into
// each new window though nobody sees it: the lists below the address bar.
const unwanted = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'AutofillServerCommunication',
  'WebUIOmniboxPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxAimPopup',
];

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Its own words with its maker, which tests/netjail would count as attempts.
  '--gaia-url=http://127.0.0.1:9',
  '--component-updater=url-source=http://127.0.0.1:9',
  // Where it would fetch a dictionary once somebody types.
  '--host-resolver-rules=MAP redirector.gvt1.com 127.0.0.1:9',
  `--disable-features=${unwanted.join(',')}`,
];

const at = (...paths: string[]): LaunchOptions => ({
  executablePath: paths.find(existsSync),
  args,
});

/** The system's own Chromium, started so that it talks to nobody but Beckon. */
export const chromium = at('/usr/bin/chromium', '/usr/bin/chromium-browser');

/** The same engine, where it is without windows and notifications: it has a fifth less to do. */
export const shell = at(
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
);
