import css from './FormError.module.css';

/** The error of a form or a dialog as a whole, if there is one. Screen readers announce it. */
export function FormError({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p role="alert" className={css.error}>
      {text}
    </p>
  );
}
