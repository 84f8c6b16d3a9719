// What the desk's page says.
import * as en from './en';
import { speak } from './index.svelte';

speak(en, () => import('./de'));
