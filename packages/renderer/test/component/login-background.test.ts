import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { openApp } from './support/open-app.ts';

test('the shapes behind the login form scale with the window', async () => {
  await openApp({ viewport: { width: 1000, height: 600 } });
  const shapes = page.getByCss('[class*=shapes]');
  const width = () => shapes.element().getBoundingClientRect().width;
  await expect.element(shapes).toBeInTheDocument();
  const small = width();
  await page.viewport(2000, 1200);
  expect(width() / small).toBeCloseTo(2, 1);
});
