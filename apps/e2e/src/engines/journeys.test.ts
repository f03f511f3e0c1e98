import { writeFile } from 'node:fs/promises';
import { createPng } from '../support/files.ts';
import { expect, processTest as base } from '../support/process-test.ts';
import { createTranslator } from '../support/texts.ts';
import type { Engine } from './engine-page.ts';
import {
  buttonTarget,
  chatRowTarget,
  createEngineUser,
  fieldTarget,
  messageTarget,
  type EngineUser,
} from './engine-user.ts';
import { firefox } from './firefox.ts';
import { webkit } from './webkit.ts';

const t = createTranslator('en');

/** Opens a page of the engine for a new user. */
type NewUser = (username: string) => Promise<EngineUser>;

for (const support of [firefox, webkit]) {
  const test = base.extend<{ newUser: NewUser }>({
    newUser: async ({ server }, provide, testInfo) => {
      let engine: Engine | undefined;
      const users: EngineUser[] = [];
      await provide(async (username) => {
        engine ??= await support.launch();
        const user = createEngineUser(await engine.open(), server, username);
        users.push(user);
        return user;
      });
      if (testInfo.status !== testInfo.expectedStatus) {
        for (const { username, page } of users) {
          await writeFile(testInfo.outputPath(`${username}.png`), await page.screenshot());
        }
      }
      await engine?.close();
      expect(users.flatMap(({ page }) => page.errors)).toEqual([]);
    },
  });

  test.describe(`${support.name} @long`, () => {
    test.skip(support.missing() !== undefined, support.missing());

    test('two users register, start a chat and exchange messages live', async ({ newUser }) => {
      const alice = await newUser('Alice');
      await alice.register();
      const bob = await newUser('Bob');
      await bob.signIn();

      await test.step('the first message reaches the partner with an unread badge', async () => {
        await alice.open('/chatarea/exist');
        await alice.typeInto(fieldTarget(t('findUser.username')), 'bob');
        await alice.click(buttonTarget(t('findUser.submit')));
        await alice.waitForPath(/new-chatroom\/Bob$/);
        await alice.typeInto({ selector: 'textarea' }, 'Hello Bob!');
        await alice.page.press('Enter');
        await alice.waitForPath(/^\/chatarea\/chats\/[\da-f-]{36}$/);
        await bob.waitForVisible(chatRowTarget('Hello Bob!'));
      });

      await test.step('both users see the messages of the other', async () => {
        await bob.click(chatRowTarget('Alice'));
        await bob.waitForVisible(messageTarget('Hello Bob!'));
        await bob.send('Hi Alice, Grüße & <b>more</b>');
        await alice.waitForVisible(messageTarget('Hi Alice, Grüße & <b>more</b>'));
        await alice.send('How are you?');
        await bob.waitForVisible(messageTarget('How are you?'));
      });

      await test.step('an emoji from the picker is sent', async () => {
        await alice.click(buttonTarget(t('composer.emoji')));
        await alice.click({ selector: '[role=dialog] button', name: '👍' });
        await alice.page.press('Escape');
        await alice.click(buttonTarget(t('composer.send')));
        await bob.waitForVisible(messageTarget('👍'));
      });
    });

    test('an image and a recording are sent, shown and played', async ({ newUser }, testInfo) => {
      const { alice, bob } = await openChat(newUser);

      await test.step('the partner sees the image', async () => {
        const file = createPng(320, 200);
        const path = testInfo.outputPath(file.name);
        await writeFile(path, file.buffer);
        await alice.page.chooseFile('input[type=file]', path);
        await alice.click(buttonTarget(t('composer.sendImage_one')));
        await bob.waitForVisible({ selector: '[data-message] img' });
        const width = async () =>
          await bob.page.evaluate(
            () => document.querySelector<HTMLImageElement>('[data-message] img')?.naturalWidth,
            undefined,
          );
        await expect.poll(width).toBe(320);
      });

      await test.step('the partner plays the recording', async () => {
        await alice.click(buttonTarget(t('composer.record')));
        await expect.poll(() => alice.page.evaluate(hasRecordedASecond, undefined)).toBe(true);
        await alice.click(buttonTarget(t('recorder.stop')));
        await bob.waitForVisible(buttonTarget(t('audio.play')));
        // Without a sound card, Firefox plays only muted audio.
        await bob.page.evaluate(() => {
          for (const audio of document.querySelectorAll('audio')) audio.muted = true;
        }, undefined);
        await bob.click(buttonTarget(t('audio.play')));
        const position = async () =>
          await bob.page.evaluate(
            () => document.querySelector('audio')?.currentTime ?? 0,
            undefined,
          );
        await expect.poll(position, { timeout: 30_000 }).toBeGreaterThan(0);
      });
    });

    test('messages that were written without the server arrive once it is back', async ({
      newUser,
      server,
    }) => {
      const { alice, bob } = await openChat(newUser);
      await bob.waitForVisible(messageTarget('Hello Bob!'));
      await server.kill();
      for (const user of [alice, bob]) {
        await user.waitForVisible({
          selector: 'output',
          name: t('connection.reconnecting'),
          isPartial: true,
        });
      }
      await alice.send('While you were away');
      await bob.send('Me too');
      await server.start();
      await bob.waitForVisible(messageTarget('While you were away'));
      await alice.waitForVisible(messageTarget('Me too'));
    });

    test('the application starts without the server after a first visit', async ({
      newUser,
      server,
    }) => {
      const alice = await newUser('Alice');
      await alice.signIn();
      const isControlled = async () =>
        await alice.page.evaluate(() => navigator.serviceWorker.controller !== null, undefined);
      await expect.poll(isControlled, { timeout: 60_000 }).toBe(true);
      await server.stop();
      await alice.open('/chatarea');
      const isRunning = async () =>
        await alice.page.evaluate(() => document.querySelector('#app > *') !== null, undefined);
      await expect.poll(isRunning).toBe(true);
    });

    test('a user writes and edits a message with the keyboard alone', async ({ newUser }) => {
      const bob = await newUser('Bob');
      await bob.signIn();
      const alice = await newUser('Alice');
      await alice.signIn();
      await alice.openChatWith('Bob', 'Hello Bob!');
      await alice.page.type('Typed at once');
      await alice.page.press('Enter');
      // Before that, the key would edit the previous message.
      await alice.waitForVisible({
        ...messageTarget('Typed at once'),
        selector: '[data-message][data-state=sent]',
      });
      await alice.page.press('ArrowUp');
      await alice.waitForVisible({ selector: 'button', name: t('composer.save') });
      await alice.page.type(', and edited');
      await alice.page.press('Enter');
      await bob.waitForVisible(chatRowTarget('Typed at once, and edited'));
      await alice.page.press('ArrowUp');
      await alice.page.press('Escape');
      await alice.waitForVisible(buttonTarget(t('composer.send')));
    });
  });
}

/** Signs Alice and Bob in and opens their chat, with its first message, on both sides. */
async function openChat(newUser: NewUser): Promise<{ alice: EngineUser; bob: EngineUser }> {
  const alice = await newUser('Alice');
  const bob = await newUser('Bob');
  await alice.signIn();
  await bob.signIn();
  await alice.openChatWith('Bob', 'Hello Bob!');
  await bob.click(chatRowTarget('Alice'));
  return { alice, bob };
}

// Runs in the page.
function hasRecordedASecond(): boolean {
  const texts = [...document.querySelectorAll('section *')].map(({ textContent }) => textContent);
  return texts.some((text) => /^0:(?:0[1-9]|[1-5]\d)$/.test(text));
}
