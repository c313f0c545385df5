/** General MIDI drums by short names. */
export const DRUMS = {
  kick: 36,
  stick: 37,
  snare: 38,
  clap: 39,
  closed: 42,
  floor: 43,
  pedal: 44,
  tom: 45,
  open: 46,
  mid: 47,
  crash: 49,
  high: 50,
  ride: 51,
  tambourine: 54,
  cowbell: 56,
  bongo: 60,
  conga: 62,
  maracas: 70,
  claves: 75,
} as const

type Drum = keyof typeof DRUMS

/** Strokes of a bar by drum: one letter per sixteenth, 16 in four beats and 12 in three; `X` loud, `x` medium, `o` soft. */
export type DrumPattern = Readonly<Partial<Record<Drum, string>>>

export const DRUM_PATTERNS = {
  rock: { kick: 'X.....x.X.......', snare: '....X.......X...', closed: 'x.o.x.o.x.o.x.o.' },
  ballad: { kick: 'X.......x.......', stick: '....x.......x...', closed: 'o...o...o...o...' },
  disco: { kick: 'X...X...X...X...', snare: '....X.......X...', closed: 'x.......x.......', open: '..x...x...x...x.' },
  house: { kick: 'X...X...X...X...', clap: '....X.......X...', open: '..x...x...x...x.', closed: 'o.o.o.o.o.o.o.o.' },
  techno: { kick: 'X...X...X...X...', closed: 'oxoxoxoxoxoxoxox', open: '..x...x...x...x.', stick: '......x.......x.' },
  trance: { kick: 'X...X...X...X...', clap: '....X.......X...', open: '..X...X...X...X.', closed: 'xoxoxoxoxoxoxoxo' },
  halftime: { kick: 'X.........x.....', snare: '........X.......', closed: 'x.x.x.x.x.xxx.x.' },
  breakbeat: { kick: 'X.X.......XX....', snare: '....X..o.o..X..o', closed: 'x.x.x.x.x.x.x.x.' },
  hiphop: { kick: 'X......xX.......', snare: '....X.......X...', closed: 'x.x.x.x.x.x.x.xx' },
  lofi: { kick: 'X......x..x.....', snare: '....x.......x...', closed: 'o.x.o.x.o.x.o.x.' },
  funk: { kick: 'X..x..x...x..x..', snare: '....X..o.o..X..o', closed: 'xoxoxoxoxoxoxoxo' },
  swing: { ride: 'x...X.x.x...X.x.', pedal: '....x.......x...', kick: 'o...o...o...o...' },
  shuffle: { ride: 'x.x.x.x.x.x.x.x.', snare: '....X.......X...', kick: 'X.......X.......' },
  bossa: { stick: 'x..x..x...x..x..', kick: 'x.....xxx.....xx', closed: 'o.o.o.o.o.o.o.o.' },
  samba: { kick: 'x..xX..xx..xX..x', tambourine: 'xoxxoxoxxoxxoxox', snare: 'o.oxo.oxo.oxo.ox' },
  salsa: { claves: '..x.x...x..x..x.', conga: 'x.o.x.oox.o.x.oo', cowbell: 'x...x.x.x...x.x.', maracas: 'o.o.o.o.o.o.o.o.' },
  reggae: { kick: '........X.......', stick: '........X.......', closed: 'x.o.x.o.x.o.x.oo' },
  march: { snare: 'X..oX.oox..oX.oo', kick: 'X.......X.......', crash: 'x...............' },
  metal: { kick: 'XxX.XxX.XxX.XxX.', snare: '....X.......X...', crash: 'x...x...x...x...' },
  country: { kick: 'X.......X.......', snare: '....x.......x...', closed: 'o.x.o.x.o.x.o.x.' },
  epic: { floor: 'X..x..X.X..x..X.', kick: 'X.......X.......', tom: '......x.......xx' },
  tribal: { floor: 'X..x..x.X..x..x.', bongo: 'o.oxo.oxo.oxo.xx', maracas: 'x.x.x.x.x.x.x.x.' },
  chip: { kick: 'X.......X.......', snare: '....X.......X...', closed: 'x.x.x.x.x.x.x.x.' },
  waltz: { kick: 'X...........', stick: '....o...o...' },
} as const satisfies Record<string, DrumPattern>

/** A note of a bass line: first beat, beats, and the tone: root, fifth, octave, third, or a step below or above the next chord's root. */
export interface BassNote {
  readonly at: number
  readonly length: number
  readonly tone: 'root' | 'fifth' | 'octave' | 'third' | 'approach'
}

const even = (step: number, length: number, tones: readonly BassNote['tone'][]): BassNote[] =>
  tones.map((tone, index) => ({ at: index * step, length, tone }))

export const BASS_PATTERNS = {
  whole: [{ at: 0, length: 4, tone: 'root' }],
  half: even(2, 1.9, ['root', 'fifth']),
  eighths: even(0.5, 0.45, ['root', 'root', 'root', 'root', 'root', 'root', 'root', 'root']),
  walking: even(1, 0.9, ['root', 'third', 'fifth', 'approach']),
  octaves: even(0.5, 0.4, ['root', 'octave', 'root', 'octave', 'root', 'octave', 'root', 'octave']),
  offbeat: [0.5, 1.5, 2.5, 3.5].map((at) => ({ at, length: 0.45, tone: 'root' as const })),
  rolling: [0.25, 0.5, 0.75, 1.25, 1.5, 1.75, 2.25, 2.5, 2.75, 3.25, 3.5, 3.75].map((at) => ({ at, length: 0.22, tone: 'root' as const })),
  funk: [
    { at: 0, length: 0.5, tone: 'root' },
    { at: 0.75, length: 0.2, tone: 'octave' },
    { at: 1.5, length: 0.4, tone: 'root' },
    { at: 2.25, length: 0.2, tone: 'fifth' },
    { at: 2.5, length: 0.4, tone: 'octave' },
    { at: 3.5, length: 0.4, tone: 'approach' },
  ],
  reggae: [
    { at: 0.5, length: 0.9, tone: 'root' },
    { at: 1.5, length: 0.4, tone: 'third' },
    { at: 2, length: 0.9, tone: 'fifth' },
    { at: 3, length: 0.9, tone: 'root' },
  ],
  latin: [
    { at: 0, length: 1.4, tone: 'root' },
    { at: 1.5, length: 0.5, tone: 'fifth' },
    { at: 2, length: 1.4, tone: 'fifth' },
    { at: 3.5, length: 0.5, tone: 'root' },
  ],
  trap: [
    { at: 0, length: 1.9, tone: 'root' },
    { at: 2.5, length: 1.2, tone: 'root' },
  ],
  waltz: [{ at: 0, length: 1, tone: 'root' }],
} as const satisfies Record<string, readonly BassNote[]>

/** A stroke of the chords: first beat, beats, and its keys: all, or one counted from the lowest, continuing an octave up. */
export interface ChordStroke {
  readonly at: number
  readonly length: number
  readonly keys: 'all' | number
}

const broken = (step: number, order: readonly number[]): ChordStroke[] =>
  order.map((keys, index) => ({ at: index * step, length: step * 1.8, keys }))
const struck = (length: number, beats: readonly number[]): ChordStroke[] => beats.map((at) => ({ at, length, keys: 'all' as const }))

export const CHORD_PATTERNS = {
  held: struck(4, [0]),
  half: struck(1.9, [0, 2]),
  quarters: struck(0.9, [0, 1, 2, 3]),
  eighths: struck(0.45, [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5]),
  strum: struck(0.6, [0, 1, 1.5, 2.5, 3, 3.5]),
  offbeat: struck(0.3, [0.5, 1.5, 2.5, 3.5]),
  backbeat: struck(0.3, [1, 3]),
  charleston: struck(0.6, [0, 1.5]),
  stabs: struck(0.3, [0, 0.75, 1.5, 2.5, 3.25]),
  montuno: struck(0.35, [0, 0.5, 1.5, 2.5, 3, 3.5]),
  bossa: struck(0.5, [0, 1.5, 2.5, 3.5]),
  arpeggio: broken(0.5, [0, 1, 2, 3, 4, 3, 2, 1]),
  fast: broken(0.25, [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]),
  alberti: broken(0.5, [0, 2, 1, 2, 0, 2, 1, 2]),
  chugging: struck(0.2, [0, 0.5, 0.75, 1, 1.5, 1.75, 2, 2.5, 2.75, 3, 3.5, 3.75]),
  waltz: struck(0.8, [1, 2]),
  rocking: broken(0.5, [0, 1, 2, 3, 2, 1]),
} as const satisfies Record<string, readonly ChordStroke[]>

/** Rhythms of melodies, in beats per note of a bar; a negative number is a rest. */
export const RHYTHMS = {
  calm: [
    [2, 2],
    [3, 1],
    [1, 1, 2],
    [2, 1, 1],
  ],
  song: [
    [1, 0.5, 0.5, 1, 1],
    [1.5, 0.5, 1, 1],
    [0.5, 0.5, 1, 0.5, 0.5, 1],
    [1, 1, 2],
  ],
  busy: [
    [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1],
    [0.75, 0.25, 0.5, 0.5, 1, 1],
    [0.5, 0.25, 0.25, 0.5, 0.5, 0.5, 0.5, 1],
  ],
  swing: [
    [-0.5, 0.5, 1, 0.5, 0.5, 1],
    [1, 0.5, 0.5, -0.5, 0.5, 1],
    [0.5, 0.5, 0.5, 0.5, 1.5, -0.5],
  ],
  call: [
    [0.5, 0.5, 0.5, 0.5, 2],
    [0.75, 0.25, 1, 2],
    [1, 1 / 3, 1 / 3, 1 / 3, 2],
  ],
  three: [[2, 1], [1, 1, 1], [1.5, 0.5, 1], [3]],
} as const satisfies Record<string, readonly (readonly number[])[]>

export type DrumsName = keyof typeof DRUM_PATTERNS
export type BassName = keyof typeof BASS_PATTERNS
export type ChordsName = keyof typeof CHORD_PATTERNS
export type RhythmName = keyof typeof RHYTHMS
