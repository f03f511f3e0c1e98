import css from './FormError.module.css';

const WEB_ADDRESS = /(https?:\/\/\S*[^\s.])/;

/**
 * The error of a form or a dialog as a whole, if there is one. Screen readers announce it. A web address in it is a
 * link.
 */
export function FormError({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  const [before, url, after] = text.split(WEB_ADDRESS);
  return (
    <p role="alert" className={css.error}>
      {before}
      {url !== undefined && <a href={url}>{url}</a>}
      {after}
    </p>
  );
}
