/** Maximum size of a color profile in bytes. Profiles of printing presses have half a megabyte. */
export const PROFILE_BYTES_MAX = 1024 * 1024;

const HEADER = 128;
const TAGS_MAX = 100;

/**
 * Tags that make up the color transformation. All others identify something: descriptions, copyright,
 * the device, calibration data, private data.
 */
const KEPT = new Set(
  'rXYZ gXYZ bXYZ wtpt rTRC gTRC bTRC kTRC chad cicp lumi A2B0 A2B1 A2B2 B2A0 B2A1 B2A2 gamt'.split(
    ' ',
  ),
);

/**
 * Header fields, as `[from, to]`, that define the meaning of the numbers. Other fields name the
 * maker and the date.
 */
const KEPT_FIELDS = [
  [8, 24],
  [36, 40],
  [64, 80],
] as const;

/**
 * Returns the part of an ICC profile (ICC.1:2022) that affects colors. Returns undefined if there is
 * none or the profile is invalid; browsers ignore invalid profiles as well.
 */
export function cleanProfile(profile: Buffer): Buffer | undefined {
  if (profile.length < HEADER + 4 || profile.length > PROFILE_BYTES_MAX) return undefined;
  if (profile.toString('latin1', 36, 40) !== 'acsp') return undefined;
  const count = profile.readUInt32BE(HEADER);
  if (count > TAGS_MAX || HEADER + 4 + count * 12 > profile.length) return undefined;

  const tags = new Map<string, Buffer>();
  for (let i = 0; i < count; i += 1) {
    const entry = HEADER + 4 + i * 12;
    const name = profile.toString('latin1', entry, entry + 4);
    if (!KEPT.has(name) || tags.has(name)) continue;
    const from = profile.readUInt32BE(entry + 4);
    const data = profile.subarray(from, from + profile.readUInt32BE(entry + 8));
    const length = tagLength(data);
    if (length === undefined || length > data.length) return undefined;
    tags.set(name, data.subarray(0, length));
  }
  return tags.size === 0 ? undefined : build(profile, tags);
}

function build(original: Buffer, tags: ReadonlyMap<string, Buffer>): Buffer {
  const table = Buffer.alloc(4 + tags.size * 12);
  table.writeUInt32BE(tags.size);
  const body: Buffer[] = [];
  let at = HEADER + table.length;
  let entry = 4;
  // Tags with equal data share it, as in most profiles.
  const places = new Map<string, number>();
  for (const [name, data] of tags) {
    const key = data.toString('latin1');
    const place = places.get(key) ?? at;
    table.write(name, entry, 'latin1');
    table.writeUInt32BE(place, entry + 4);
    table.writeUInt32BE(data.length, entry + 8);
    entry += 12;
    if (place !== at) continue;
    places.set(key, at);
    body.push(data, Buffer.alloc(-data.length & 3));
    at += data.length + (-data.length & 3);
  }
  const header = Buffer.alloc(HEADER);
  header.writeUInt32BE(at);
  for (const [from, to] of KEPT_FIELDS) original.copy(header, from, from, to);
  // The field after the illuminant names the creator of the profile.
  header.fill(0, 80);
  return Buffer.concat([header, table, ...body]);
}

/** Returns the number of bytes a tag's type uses, or undefined for other types. */
function tagLength(data: Buffer): number | undefined {
  if (data.length < 12) return undefined;
  switch (data.toString('latin1', 0, 4)) {
    case 'XYZ ':
      return 20;
    case 'curv':
      return 12 + data.readUInt32BE(8) * 2;
    case 'para':
      return [16, 24, 28, 36, 40][data.readUInt16BE(8)];
    case 'sf32':
      return 44;
    case 'cicp':
      return 12;
    case 'mft1':
    case 'mft2':
      return tableLength(data);
    case 'mAB ':
    case 'mBA ':
      return data.length;
    default:
      return undefined;
  }
}

function tableLength(data: Buffer): number | undefined {
  if (data.length < 52) return undefined;
  const [inputs, outputs, points] = [data.readUInt8(8), data.readUInt8(9), data.readUInt8(10)];
  const grid = points ** inputs * outputs;
  if (data.toString('latin1', 0, 4) === 'mft1') return 48 + 256 * (inputs + outputs) + grid;
  const entries = data.readUInt16BE(48) * inputs + data.readUInt16BE(50) * outputs;
  return 52 + 2 * (entries + grid);
}
