import { mount } from '@parley/renderer';
import { chooseHost } from './choose-host.ts';

async function start(element: HTMLElement): Promise<void> {
  await mount(await chooseHost(), element);
}

const element = document.querySelector<HTMLElement>('#app');
if (element) void start(element);
