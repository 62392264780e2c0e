import '../styles/fonts.css';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/cards.css';
import '../styles/shell.css';
import './gallery.css';
import { createRoot } from 'react-dom/client';
import { Gallery } from './Gallery.tsx';

/**
 * The gallery of cards, served in development only (`vite.config.ts`). `?only=BarChart` shows one kind, `?dir=rtl` the page
 * from right to left.
 */
const asked = new URLSearchParams(location.search);
if (asked.get('dir') === 'rtl') document.documentElement.dir = 'rtl';
const place = document.getElementById('gallery');
if (place !== null) createRoot(place).render(<Gallery only={asked.get('only')} />);
