import { expect, type Locator, type Page } from '@playwright/test';

/** As many Tabs are pressed in search of a control. */
const mostTabs = 40;

/** A keyboard that counts its keys, but not the text that is typed. */
export class Keyboard {
  keys: string[] = [];

  constructor(private readonly page: Page) {}

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      this.keys.push(key);
      await this.page.keyboard.press(key);
    }
  }

  async tabTo(target: Locator): Promise<void> {
    for (let i = 0; i < mostTabs; i++) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await this.press('Tab');
    }
    await expect(target).toBeFocused();
  }

  /** Returns the keys that were pressed since it was last asked. */
  taken(): string[] {
    return this.keys.splice(0);
  }
}
