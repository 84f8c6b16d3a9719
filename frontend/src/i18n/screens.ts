// What every screen but the board says: it travels with the first of them.
import { learn } from './index.svelte';
import * as english from './later';

learn(english);
