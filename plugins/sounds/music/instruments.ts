/** The role of an instrument: chords and melodies, only melodies, the bass, or long background chords. */
export type Role = 'keys' | 'melody' | 'bass' | 'pad'

export interface Instrument {
  /** Names of one or several words; those with more words take precedence. */
  readonly names: readonly string[]
  /** General MIDI program, counted from 0. */
  readonly program: number
  readonly role: Role
  /** Octaves relative to the usual range of melodies. */
  readonly octave?: number
  /** The name also has a non-musical meaning: it counts only beside a word of music. */
  readonly doubtful?: true
}

/** Instruments by their names in prompts, with their General MIDI 1 programs. */
export const INSTRUMENTS: readonly Instrument[] = [
  { names: ['piano', 'pianos', 'grand piano', 'keyboard solo'], program: 0, role: 'keys' },
  { names: ['honky tonk', 'honky tonk piano', 'saloon piano'], program: 3, role: 'keys' },
  { names: ['electric piano', 'rhodes', 'wurlitzer'], program: 4, role: 'keys' },
  { names: ['harpsichord'], program: 6, role: 'keys' },
  { names: ['clavinet'], program: 7, role: 'keys' },
  { names: ['celesta'], program: 8, role: 'melody', octave: 1 },
  { names: ['glockenspiel'], program: 9, role: 'melody', octave: 1 },
  { names: ['music box', 'musical box'], program: 10, role: 'keys', octave: 1 },
  { names: ['vibraphone', 'vibes'], program: 11, role: 'keys' },
  { names: ['marimba'], program: 12, role: 'keys' },
  { names: ['xylophone'], program: 13, role: 'melody', octave: 1 },
  { names: ['tubular bells', 'carillon'], program: 14, role: 'melody' },
  { names: ['dulcimer'], program: 15, role: 'keys' },
  { names: ['hammond', 'hammond organ', 'electric organ', 'drawbar organ'], program: 16, role: 'keys' },
  { names: ['organ', 'church organ', 'pipe organ'], program: 19, role: 'keys' },
  { names: ['accordion'], program: 21, role: 'keys' },
  { names: ['harmonica'], program: 22, role: 'melody' },
  { names: ['bandoneon'], program: 23, role: 'keys' },
  { names: ['guitar', 'guitars', 'classical guitar', 'nylon guitar', 'spanish guitar', 'flamenco guitar'], program: 24, role: 'keys' },
  { names: ['acoustic guitar', 'steel guitar', 'folk guitar', 'twelve string guitar', 'ukulele', 'lute'], program: 25, role: 'keys' },
  { names: ['jazz guitar'], program: 26, role: 'keys' },
  { names: ['clean guitar', 'funk guitar', 'electric guitar', 'electric guitars', 'surf guitar'], program: 27, role: 'keys' },
  { names: ['overdriven guitar', 'rock guitar', 'guitar riff'], program: 29, role: 'keys', octave: -1 },
  { names: ['distorted guitar', 'distortion guitar', 'heavy guitar', 'metal guitar'], program: 30, role: 'keys', octave: -1 },
  { names: ['double bass', 'upright bass', 'contrabass', 'acoustic bass'], program: 32, role: 'bass' },
  { names: ['bass guitar', 'electric bass', 'bassline', 'bass line'], program: 33, role: 'bass' },
  { names: ['bass'], program: 33, role: 'bass', doubtful: true },
  { names: ['slap bass'], program: 36, role: 'bass' },
  { names: ['synth bass', 'acid bass', 'sub bass'], program: 38, role: 'bass' },
  { names: ['violin', 'violins'], program: 40, role: 'melody' },
  { names: ['viola'], program: 41, role: 'melody' },
  { names: ['cello', 'cellos'], program: 42, role: 'melody', octave: -2 },
  { names: ['tremolo strings'], program: 44, role: 'pad' },
  { names: ['pizzicato', 'pizzicato strings'], program: 45, role: 'keys' },
  { names: ['harp'], program: 46, role: 'keys' },
  { names: ['strings', 'string section', 'string quartet', 'string orchestra'], program: 48, role: 'pad' },
  { names: ['choir', 'choral', 'chorus of voices'], program: 52, role: 'pad' },
  { names: ['trumpet', 'trumpets', 'bugle', 'cornet'], program: 56, role: 'melody' },
  { names: ['trombone', 'trombones'], program: 57, role: 'melody', octave: -1 },
  { names: ['tuba'], program: 58, role: 'melody', octave: -2 },
  { names: ['muted trumpet'], program: 59, role: 'melody' },
  { names: ['french horn', 'french horns', 'horn section'], program: 60, role: 'melody', octave: -1 },
  { names: ['brass', 'brass section', 'brass band', 'horns'], program: 61, role: 'keys' },
  { names: ['soprano saxophone', 'soprano sax'], program: 64, role: 'melody' },
  { names: ['saxophone', 'sax', 'alto saxophone', 'alto sax'], program: 65, role: 'melody' },
  { names: ['tenor saxophone', 'tenor sax', 'baritone saxophone'], program: 66, role: 'melody', octave: -1 },
  { names: ['oboe'], program: 68, role: 'melody' },
  { names: ['english horn', 'cor anglais'], program: 69, role: 'melody' },
  { names: ['bassoon'], program: 70, role: 'melody', octave: -2 },
  { names: ['clarinet'], program: 71, role: 'melody' },
  { names: ['piccolo'], program: 72, role: 'melody', octave: 1 },
  { names: ['flute', 'flutes'], program: 73, role: 'melody' },
  { names: ['recorder'], program: 74, role: 'melody', doubtful: true },
  { names: ['pan flute', 'pan pipes', 'panpipes', 'pan pipe'], program: 75, role: 'melody' },
  { names: ['shakuhachi', 'bamboo flute'], program: 77, role: 'melody' },
  { names: ['tin whistle', 'penny whistle', 'whistled melody', 'whistled tune'], program: 78, role: 'melody', octave: 1 },
  { names: ['ocarina'], program: 79, role: 'melody' },
  { names: ['square lead', 'square wave lead'], program: 80, role: 'melody' },
  { names: ['synth lead', 'lead synth', 'synth', 'synthesizer', 'synths', 'synthesizers'], program: 81, role: 'keys', doubtful: true },
  { names: ['synth pad', 'warm pad', 'pad', 'pads', 'synth pads'], program: 89, role: 'pad', doubtful: true },
  { names: ['sitar'], program: 104, role: 'melody' },
  { names: ['banjo'], program: 105, role: 'keys' },
  { names: ['shamisen'], program: 106, role: 'melody' },
  { names: ['koto', 'guzheng'], program: 107, role: 'keys' },
  { names: ['kalimba', 'mbira', 'thumb piano'], program: 108, role: 'keys' },
  { names: ['bagpipe', 'bagpipes'], program: 109, role: 'melody' },
  { names: ['fiddle'], program: 110, role: 'melody' },
  { names: ['steel drums', 'steel drum', 'steelpan'], program: 114, role: 'keys' },
  { names: ['mandolin'], program: 25, role: 'melody' },
]
