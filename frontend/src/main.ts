import { mount } from 'svelte';
import App from './app/App.svelte';
import { desk } from './app/desk.svelte';
import { connect } from './bridge';
import { follow, store } from './state';
import './ui/index.css';

const transport = await connect();
follow(transport, store);
await desk.begin(); // a page to begin at must be known before the first is shown
mount(App, { target: document.getElementById('app')! });
