// What the phone's page says: its own words, and those of questions.
import { speak } from './index.svelte';
import * as en from './phone/en';

speak(en, () => import('./phone/de'));
