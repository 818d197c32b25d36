// The seeded bugs: one table for each part of the engine. CONTRIBUTING.md says how to add one.
import { activities } from './activities.mjs';
import { admission } from './admission.mjs';
import { clients } from './clients.mjs';
import { doors } from './doors.mjs';
import { driver } from './driver.mjs';
import { gate } from './gate.mjs';
import { kernelFacts } from './kernel-facts.mjs';
import { kernelMoves } from './kernel-moves.mjs';
import { quotes } from './quotes.mjs';
import { stores } from './stores.mjs';

/**
 * Each: `name`; `is`, what is wrong in words; `file`; `find`, a text that is in it exactly once,
 * and `write`, what stands there instead; `tests`, the quickest files that see it; `named`, where
 * only a few of their tests are run: those whose names match. `explorer`, for what is of the
 * kernel: whether the explorer alone sees it; if not, `unseen` says why.
 */
export const parts = [
  { part: 'kernel', bugs: [...kernelMoves, ...kernelFacts] },
  { part: 'driver', bugs: driver },
  { part: 'activities', bugs: [...activities, ...stores] },
  { part: 'gate', bugs: [...gate, ...doors, ...clients, ...quotes] },
  { part: 'admission', bugs: admission },
];
