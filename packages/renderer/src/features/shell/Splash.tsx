import { Logo } from '../../ui/Logo.tsx';
import css from './Splash.module.css';

/** What is seen until the first screen: nothing at first, the logo and a word if it takes long. */
export function Splash({ label }: { label: string }) {
  return (
    <output className={css.splash}>
      <Logo size={56} className={css.logo} />
      <span className={css.label}>{label}</span>
    </output>
  );
}
