import { Outlet } from 'react-router-dom';
import { Toasts } from '../../ui/Toasts.tsx';

/** What is on every screen. */
export function RootLayout() {
  return (
    <>
      <Outlet />
      <Toasts />
    </>
  );
}
