import { mount } from '@parley/renderer';
import { createBrowserHost } from './browser-host.ts';

const element = document.querySelector<HTMLElement>('#app');
if (element) void mount(createBrowserHost(), element);
