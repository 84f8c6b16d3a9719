import { mount } from 'svelte';
import { setLanguage } from '../i18n/index.svelte';
import '../i18n/phone';
import { hired } from './hired';
import Phone from './Phone.svelte';
import './phone.css';

await setLanguage('', navigator.language);
mount(Phone, { target: document.getElementById('app')! });
hired.begin();
