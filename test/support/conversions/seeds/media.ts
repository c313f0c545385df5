import { spawnSync } from 'node:child_process'
import { repeated, u16be, u16le, u32le } from '../bytes.js'
import { WORD } from './word.js'

const RATE = 16_000
const sample = (at: number): number => Math.round(12_000 * Math.sin((2 * Math.PI * 440 * at) / RATE)) & 0xffff

/** A second of 440 Hz. */
function wav(): Buffer {
  const data = u16le(...Array.from({ length: RATE }, (_, at) => sample(at)))
  const format = Buffer.concat([Buffer.from('WAVEfmt '), u32le(16), u16le(1, 1), u32le(RATE, RATE * 2), u16le(2, 16)])
  return Buffer.concat([Buffer.from('RIFF'), u32le(36 + data.length), format, Buffer.from('data'), u32le(data.length), data])
}

/** The same in the format of Sun: 24 bytes, then samples with the high byte first. */
function au(): Buffer {
  const data = u16be(...Array.from({ length: RATE }, (_, at) => sample(at)))
  return Buffer.concat([Buffer.from('.snd'), u16be(0, 24, 0, data.length, 0, 3, 0, RATE, 0, 1), data])
}

export const SOUNDS: Readonly<Record<string, Uint8Array>> = {
  wav: wav(),
  au: au(),
  // A second of frames of 12.2 kbit/s.
  amr: Buffer.concat([
    Buffer.from('#!AMR\n'),
    repeated(50, () => Buffer.from([0x3c, ...Array.from({ length: 31 }, (_, at) => (at * 37) & 255)])),
  ]),
}

/** Ten pictures of 64 by 48 pixels, each darker than the one before. */
function y4m(): Buffer {
  const frame = (at: number): Buffer =>
    Buffer.concat([Buffer.from('FRAME\n'), Buffer.alloc(64 * 48, 230 - at * 20), Buffer.alloc(64 * 24, 128)])
  return Buffer.concat([Buffer.from('YUV4MPEG2 W64 H48 F10:1 Ip A1:1 C420jpeg\n'), repeated(10, frame)])
}

const CUES = { first: WORD, second: 'and more' }
export const SUBTITLES: Readonly<Record<string, string>> = {
  srt: `1\n00:00:00,000 --> 00:00:01,000\n${CUES.first}\n\n2\n00:00:01,000 --> 00:00:02,000\n${CUES.second}\n`,
  sub: `{0}{25}${CUES.first}\n{25}{50}${CUES.second}\n`,
  smi: `<SAMI><BODY><SYNC Start=0><P Class=ENCC>${CUES.first}\n<SYNC Start=1000><P Class=ENCC>${CUES.second}\n<SYNC Start=2000><P Class=ENCC>&nbsp;\n</BODY></SAMI>\n`,
  mpl: `[0][10]${CUES.first}\n[10][20]${CUES.second}\n`,
  jss: `0:00:00.00 0:00:01.00 D ${CUES.first}\n0:00:01.00 0:00:02.00 D ${CUES.second}\n`,
  rt: `<window type="generic" duration="2">\n<time begin="0:00:00.0" end="0:00:01.0"/>${CUES.first}\n<time begin="0:00:01.0" end="0:00:02.0"/>${CUES.second}\n</window>\n`,
  stl: `$FontName = Arial\n00:00:00:00 , 00:00:01:00 , ${CUES.first}\n00:00:01:00 , 00:00:02:00 , ${CUES.second}\n`,
  sbv: `[INFORMATION]\n[TITLE]x\n[END INFORMATION]\n[SUBTITLE]\n00:00:00.00,00:00:01.00\n${CUES.first}\n\n00:00:01.00,00:00:02.00\n${CUES.second}\n`,
}

/** A second of picture, sound and subtitles in Matroska, made by FFmpeg out of nothing. Throws where there is no FFmpeg. */
export function film(): Uint8Array {
  const picture = ['-f', 'lavfi', '-i', 'testsrc=size=128x96:rate=10']
  const sound = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=44100']
  const writing = ['-t', '1', '-ac', '2', '-c:v', 'libx264', '-c:a', 'aac', '-f', 'matroska', 'pipe:1']
  const { status, stdout, stderr } = spawnSync('ffmpeg', ['-v', 'error', ...picture, ...sound, '-f', 'srt', '-i', 'pipe:0', ...writing], {
    maxBuffer: 2 ** 26,
    input: SUBTITLES['srt'] ?? '',
  })
  if (status !== 0) throw new Error(`ffmpeg: ${String(stderr)}`)
  return stdout
}

export const FILMS: Readonly<Record<string, Uint8Array | (() => Uint8Array)>> = { mkv: film, y4m: y4m() }
