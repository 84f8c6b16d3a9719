import { mount } from 'svelte';
import App from './app/App.svelte';
import { desk } from './app/desk.svelte';
import { api, changeOverAfter, connect } from './bridge';
import './i18n/desk';
import { setLanguage } from './i18n/index.svelte';
import { attempt, follow, store } from './state';
import { openLinksBy } from './text/links';
import { nothingFetched } from './ui/prefetch';
import './ui/index.css';

const transport = await connect();
follow(transport, store);
changeOverAfter(nothingFetched);
openLinksBy((url) => void attempt(() => api.openUrl(url)));
await desk.begin(); // a page to begin at must be known before the first is shown
await setLanguage(store.settings.language, navigator.language);
mount(App, { target: document.getElementById('app')! });
