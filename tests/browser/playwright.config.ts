import { defineConfig } from '@playwright/test';
import { shell } from './support/chromium';
import { patience } from './support/patience';

export default defineConfig({
  globalSetup: './support/build.ts',
  outputDir: '../out/browser',
  reporter: [['list']],
  timeout: patience(60_000),
  expect: { timeout: patience(10_000) },
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  use: {
    browserName: 'chromium',
    launchOptions: shell,
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    actionTimeout: patience(10_000),
    navigationTimeout: patience(15_000),
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'specs', testDir: './specs' },
    // One test for each capability and guard, and every screen once: what each change passes.
    { name: 'smoke', testDir: './specs', grep: /@smoke/ },
    { name: 'screenshots', testDir: './screenshots', timeout: patience(120_000) },
  ],
});
