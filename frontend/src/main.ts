import { mount } from 'svelte';
import App from './app/App.svelte';
import { connect } from './bridge';
import { follow, store } from './state';
import './ui/index.css';

const transport = await connect();
follow(transport, store);
mount(App, { target: document.getElementById('app')! });
