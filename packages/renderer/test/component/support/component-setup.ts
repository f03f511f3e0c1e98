// A setup file of Vitest for the tests that run the whole app in a page.
import { afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { startApiNetwork } from './api-network.ts';
import { addLocators } from './locators.ts';
import { closeApp } from './open-app.ts';
import { takePageErrors, watchPageErrors } from './page-errors.ts';
import { hidePage } from './page-picture.ts';

beforeAll(async () => {
  addLocators();
  hidePage();
  watchPageErrors();
  await startApiNetwork();
});

beforeEach(() => void takePageErrors());

afterEach(async () => {
  await closeApp();
  expect(takePageErrors(), 'errors of the page').toEqual([]);
});
