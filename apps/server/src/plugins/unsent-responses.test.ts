import { ServerResponse, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { beforeEach, expect, test } from 'vitest';
import { createUnsentResponses } from './unsent-responses.ts';

let add: ReturnType<typeof createUnsentResponses>;
beforeEach(() => {
  add = createUnsentResponses({ ofOwner: 100, ofAll: 250 });
});

/** Adds a response that the client does not read. */
function respond(ownerId: string, size: number): ServerResponse {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  add(ownerId, response, size);
  return response;
}

const destroyed = (responses: readonly ServerResponse[]) => responses.map((each) => each.destroyed);

test('closes the oldest connections of an owner with too much', () => {
  const responses = [respond('ada', 40), respond('ada', 40), respond('bob', 40)];
  expect(destroyed(responses)).toEqual([false, false, false]);
  responses.push(respond('ada', 60));
  expect(destroyed(responses)).toEqual([true, false, false, false]);
});

test('closes the connection of the owner with the most once there is too much of all', () => {
  const responses = [
    respond('ada', 90),
    respond('bob', 70),
    respond('bob', 30),
    respond('eve', 50),
  ];
  expect(destroyed(responses)).toEqual([false, false, false, false]);
  responses.push(respond('eve', 40));
  expect(destroyed(responses)).toEqual([false, true, false, false, false]);
});

test('counts no response that was sent, or whose client has gone', () => {
  const responses = [respond('ada', 60)];
  responses[0]?.emit('close');
  responses.push(respond('ada', 60));
  expect(destroyed(responses)).toEqual([false, false]);
  responses.push(respond('ada', 40));
  expect(destroyed(responses)).toEqual([false, false, false]);
});
