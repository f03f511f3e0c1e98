import { mount } from '@parley/renderer';
import { BridgeRefusedError, chooseHost } from './choose-host.ts';

async function start(element: HTMLElement): Promise<void> {
  try {
    await mount(await chooseHost(), element);
  } catch (error) {
    if (!(error instanceof BridgeRefusedError)) throw error;
    const { showBridgeRefused } = await import('./bridge-refused.ts');
    await showBridgeRefused(element);
  }
}

const element = document.querySelector<HTMLElement>('#app');
if (element) void start(element);
