// What the desk's page says.
import * as en from './en';
import { learn, speak } from './index.svelte';

speak(en, async () => {
  const [german, reasons] = await Promise.all([import('./de'), import('./reasons')]);
  learn(reasons);
  return german;
});
