import { defineConfig } from '@playwright/test';
import { shell } from './support/chromium';

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
    launchOptions: shell,
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    actionTimeout: 10_000,
    navigationTimeout: 15_000,
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'specs', testDir: './specs' },
    // One test for each capability and guard, and every screen once: what each change passes.
    { name: 'smoke', testDir: './specs', grep: /@smoke/ },
    { name: 'screenshots', testDir: './screenshots', timeout: 120_000 },
  ],
});
