import { createMarkableRecording, marked, type MarkableRecording } from './marker.ts';

/** Creates two seconds of silence in WAV: PCM, 8 kHz, one channel. */
export function createMarkableWav(): MarkableRecording {
  return createMarkableRecording('wav', 2_000, (mark) => {
    const format = Buffer.from('01000100401f0000803e000002001000', 'hex');
    const chunks = Buffer.concat([
      mark.extra('bext', () => chunk('bext', marked(60))),
      mark.extra('JUNK', () => chunk('JUNK', marked(28))),
      chunk(
        'fmt ',
        format,
        mark.extra('after the format', () => marked(8)),
      ),
      mark.extra('fact', () => chunk('fact', marked(4))),
      mark.extra('LIST', () => chunk('LIST', Buffer.from('INFOIART'), marked(40))),
      chunk('data', Buffer.alloc(32_000)),
      mark.extra('iXML', () => chunk('iXML', marked(50))),
      mark.extra('ID3', () => chunk('id3 ', marked(50))),
      mark.extra('unknown chunk', () => chunk('abcd', marked(20))),
    ]);
    const head = Buffer.from('RIFF\0\0\0\0WAVE', 'latin1');
    head.writeUInt32LE(4 + chunks.length, 4);
    return Buffer.concat([head, chunks, mark.extra('after the last chunk', () => marked(30))]);
  });
}

function chunk(id: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.write(id, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}
