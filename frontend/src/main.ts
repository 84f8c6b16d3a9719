import { mount } from 'svelte';
import App from './app/App.svelte';
import { desk } from './app/desk.svelte';
import { connect } from './bridge';
import { setLanguage } from './i18n/index.svelte';
import { follow, store } from './state';
import './ui/index.css';

const transport = await connect();
follow(transport, store);
await desk.begin(); // a page to begin at must be known before the first is shown
await setLanguage(store.settings.language, navigator.language);
mount(App, { target: document.getElementById('app')! });
