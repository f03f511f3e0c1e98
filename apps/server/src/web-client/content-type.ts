import mime from 'mime/lite';

const TEXT_TYPE = /^text\/|[/+](?:json|xml)$/;

/** Returns the `Content-Type` of a file by its name, or undefined if its extension is unknown. Text is UTF-8. */
export function contentType(name: string): string | undefined {
  const type = mime.getType(name);
  if (type === null) return undefined;
  return TEXT_TYPE.test(type) ? `${type}; charset=utf-8` : type;
}
