import { SaxesParser } from 'saxes';

/** An object in a listing. */
export interface ListedObject {
  readonly key: string;
  /** UTC milliseconds. */
  readonly modifiedAt: number;
}

/** A page of a listing. */
interface Listing {
  readonly objects: readonly ListedObject[];
  /** Undefined on the last page. */
  readonly nextToken: string | undefined;
}

/**
 * Parses a page of a listing.
 * @throws if it is not the complete XML of a listing.
 */
export function parseListing(xml: string): Listing {
  const objects: ListedObject[] = [];
  const fields = new Map<string, string>();
  readElements(xml, (path, content) => {
    if (path === 'ListBucketResult/Contents') {
      const modifiedAt = Date.parse(fields.get(`${path}/LastModified`) ?? '');
      const key = fields.get(`${path}/Key`);
      if (key === undefined || Number.isNaN(modifiedAt)) throw new Error('an incomplete listing');
      objects.push({ key, modifiedAt });
    } else {
      fields.set(path, content);
    }
  });
  if (!fields.has('ListBucketResult')) throw new Error('not a listing');
  const isTruncated = fields.get('ListBucketResult/IsTruncated') === 'true';
  const nextToken = fields.get('ListBucketResult/NextContinuationToken');
  if (isTruncated && nextToken === undefined) throw new Error('a listing without its next page');
  return { objects, nextToken: isTruncated ? nextToken : undefined };
}

/** Returns the code in the body of an error response; empty if there is none. */
export function parseErrorCode(xml: string): string {
  let code = '';
  try {
    readElements(xml, (path, content) => {
      if (path === 'Error/Code') code = content;
    });
  } catch {
    // Proxies respond with HTML or text.
  }
  return /^\w{1,64}$/.test(code) ? code : '';
}

/** Calls `onElement` at the end of each element with its path, such as `a/b`, and its text. */
function readElements(xml: string, onElement: (path: string, content: string) => void): void {
  const parser = new SaxesParser({ xmlns: false, position: false });
  const path: string[] = [];
  let content = '';
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => {
    path.push(name);
    content = '';
  });
  parser.on('text', (part) => {
    content += part;
  });
  parser.on('closetag', () => {
    onElement(path.join('/'), content);
    path.pop();
    content = '';
  });
  parser.write(xml).close();
}
