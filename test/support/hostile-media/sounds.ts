import { deflateSync, gzipSync } from 'node:zlib'
import { atom, chunk, element, joined, oggPage, patched, u16be, u16le, u32be, u32le, u64be, u64le } from './bytes.js'
import * as mkv from './matroska.js'
import { pngFlood } from './pictures.js'
import * as mov from './quicktime.js'
import * as riff from './riff.js'
import { tone } from './quicktime.js'
import { read, refused, type Canaries, type HostileFiles } from './types.js'

/** Plain files that FFmpeg made, by how their names end. */
export type Seeds = Readonly<
  Record<'mp3' | 'aac' | 'flac' | 'ogg' | 'mp4' | 'webm' | 'asf' | 'w64' | 'caf' | 'tta' | 'au' | 'mute', Buffer>
>

const MIB = 1024 * 1024
const MOST_32 = 0xffffffff
const MOST_63 = 2n ** 63n - 1n

/** Half of a file. */
const half = (file: Buffer): Buffer => file.subarray(0, file.length >> 1)

/** ID3v2.3 with these frames; `size` is what it says of itself. */
function id3(frames: readonly Uint8Array[], size = joined(...frames).length): Buffer {
  const septets = [21, 14, 7, 0].map((shift) => (size >>> shift) & 0x7f)
  return joined('ID3', Uint8Array.of(3, 0, 0, ...septets), ...frames)
}
const frame = (id: string, data: Uint8Array | string, size = data.length): Buffer => joined(id, u32be(size), u16be(0), data)
/** A picture of ID3; of type `-->` it is an address. */
const apic = (type: string, data: Uint8Array | string): Buffer => frame('APIC', joined('\0', type, '\0\x03\0', data))

/** A block of FLAC with a picture (RFC 9639, 8.8), behind the first one. */
function flacWithPicture(flac: Buffer, { type, data, size = data.length }: { type: string; data: Uint8Array; size?: number }): Buffer {
  const picture = joined(u32be(3, type.length), type, u32be(0, MOST_32, MOST_32, 24, 0, size), data)
  const first = 4 + 4 + 34
  const block = joined(u32be(0x06000000 | picture.length), picture)
  return joined(flac.subarray(0, first), block, flac.subarray(first))
}

/** An object of ASF. */
const asfObject = (id: string, data: Uint8Array, size = BigInt(24 + data.length)): Buffer =>
  joined(Buffer.from(id, 'hex'), u64le(size), data)
const ASF_SCRIPT = '301afb1e620bd011a39b00a0c90348f6'
const ASF_SCRIPT_RESERVED = 'e3cb1a4b0b10d011a39b00a0c90348f6'

/** The first object of ASF with another one in it. */
function asfWith(asf: Buffer, object: Buffer): Buffer {
  const size = asf.readBigUInt64LE(16) + BigInt(object.length)
  const head = joined(asf.subarray(0, 16), u64le(size), u32le(asf.readUInt32LE(24) + 1), asf.subarray(28, 30))
  return joined(head, object, asf.subarray(30))
}

function asfCommand(address: string): Buffer {
  const words = (text: string): Buffer => Buffer.from(text, 'utf16le')
  const commands = joined(u16le(1, 1), u16le(3), words('URL'), u32le(0), u16le(0, address.length), words(address))
  return asfObject(ASF_SCRIPT, joined(Buffer.from(ASF_SCRIPT_RESERVED, 'hex'), commands))
}

/** Containers that refer to other files, addresses and themselves. */
function references({ url, file }: Canaries, seeds: Seeds): HostileFiles {
  const hls = `#EXTM3U\n#EXTINF:1,\nfile://${file}\n#EXTINF:1,\n${url}/a.ts\n#EXT-X-ENDLIST\n`
  const gab = riff.texts(hls)
  const concat = riff.texts(`ffconcat version 1.0\nfile '${file}'\n`)
  const away = 'the-second-half-'
  return {
    'a QuickTime film whose samples are at an address': read(
      'mov',
      mov.soundMov({ references: [mov.reference('url ', `${url}/m.mov\0`)] }),
    ),
    'a QuickTime film whose samples are in another file': refused(
      'mov',
      mov.soundMov({ references: [mov.reference('alis', mov.alias(file))] }),
    ),
    'a QuickTime film whose samples are in a resource': read('mov', mov.soundMov({ references: [mov.reference('rsrc', mov.alias(file))] })),
    'a QuickTime film of films': refused(
      'mov',
      joined(
        atom('ftyp', 'qt  ', u32be(0x200), 'qt  '),
        atom(
          'moov',
          atom(
            'rmra',
            ...[`${url}/r.mov`, `file://${file}`].map((to) => atom('rmda', atom('rdrf', u32be(0), 'url ', u32be(to.length), to))),
          ),
        ),
      ),
    ),
    'an MP4 film with an address in its tags': read(
      'mp4',
      mov.soundMov({ more: [atom('udta', atom('url ', u32be(0), `${url}/u\0`), atom('\xa9url', u16be(url.length, 0), url))] }),
    ),
    'a Matroska film of which a half is in another file': read(
      'mkv',
      mkv.soundMkv({ info: mkv.linked(file, away), behind: [mkv.chaptersElsewhere(away)] }),
    ),
    'a Matroska film with attached playlists': read(
      'mkv',
      mkv.soundMkv({ before: [mkv.attached(`../../../..${file}`, 'application/vnd.apple.mpegurl', hls)] }),
    ),
    'an AVI film with a playlist as subtitles': read('avi', riff.soundAvi({ streams: [gab.stream], movie: [gab.piece] })),
    'an AVI film with a list of parts as subtitles': read('avi', riff.soundAvi({ streams: [concat.stream], movie: [concat.piece] })),
    'an AVI film whose index leads to itself': read(
      'avi',
      riff.soundAvi({ stream: [riff.indexOf(...Array.from({ length: 2_000 }, () => 12n))] }),
    ),
    'an AVI film whose index leads far behind its end': read('avi', riff.soundAvi({ stream: [riff.indexOf(MOST_63, 2n ** 40n)] })),
    'an MP3 whose cover is an address': read(
      'mp3',
      joined(id3([apic('-->', `${url}/cover.png`), frame('WXXX', `\0\0${url}`), frame('LINK', `APIC${url}\0`)]), seeds.mp3),
    ),
    'a FLAC whose cover is an address': read('flac', flacWithPicture(seeds.flac, { type: '-->', data: Buffer.from(`${url}/cover.png`) })),
    'an ASF file with a command to open an address': read('wma', asfWith(seeds.asf, asfCommand(`${url}/script`))),
    'an Ogg file with a skeleton that names other streams': read(
      'ogg',
      joined(
        oggPage(joined('fishead\0', u16le(4, 0), u64le(MOST_63, 0n, MOST_63, 0n), Buffer.alloc(20), u64le(MOST_63, MOST_63)), {
          serial: 7,
          flags: 2,
        }),
        seeds.ogg,
        oggPage(
          joined(
            'fisbone\0',
            u32le(44, 99, 3),
            u64le(MOST_63, 1n, MOST_63),
            u32le(0),
            `Content-Type: audio/vorbis\r\nLocation: ${url}/o.ogg\r\n`,
          ),
          { serial: 7, flags: 4, sequence: 1 },
        ),
      ),
    ),
  }
}

/** Sizes, counts and times that lie, and files that end early or never. */
function lies(seeds: Seeds): HostileFiles {
  const table = (type: string, ...values: readonly number[]): Buffer =>
    mov.soundMov({ tables: { [type]: atom(type, u32be(0, ...values)) } })
  return {
    'an empty file': refused('mp3', ''),
    'a WAV that says it has 4 GiB': read('wav', riff.soundWav({ dataSize: MOST_32, size: MOST_32 })),
    'a WAV that says it has nothing': refused('wav', riff.soundWav({ dataSize: 0, samples: Buffer.alloc(0) })),
    'a WAV of 65,535 channels': refused('wav', riff.soundWav({ channels: 65_535, block: 65_534 })),
    'a WAV of 4,294,967,295 samples a second': refused('wav', riff.soundWav({ rate: MOST_32 })),
    'a WAV of one sample in a second': refused('wav', riff.soundWav({ rate: 1, samples: tone(60, 1_000) })),
    'a WAV of 65,535 bits a sample': refused('wav', riff.soundWav({ bits: 65_535 })),
    'a WAV with blocks of no bytes': refused('wav', riff.soundWav({ code: 2, block: 0, bits: 0 })),
    'a WAV with chunks that say they have 4 GiB': refused('wav', riff.soundWav({ before: [chunk('LIST', Buffer.alloc(4), MOST_32)] })),
    'a WAV of which only the head is there': refused('wav', riff.soundWav().subarray(0, 30)),
    'an RF64 that says it has 8 EiB': read('wav', riff.soundRf64(MOST_63, MOST_63)),
    'a W64 whose chunks say they have 8 EiB': refused('w64', patched(seeds.w64, 40 + 16, u64le(MOST_63))),
    'a W64 cut in its head': refused('w64', seeds.w64.subarray(0, 60)),
    'a FLAC that says it has 68,719,476,735 samples': refused(
      'flac',
      patched(seeds.flac, 21, Uint8Array.of((seeds.flac[21] ?? 0) | 15, 255, 255, 255, 255)),
    ),
    'a FLAC cut in its head': refused('flac', seeds.flac.subarray(0, 30)),
    'a FLAC whose cover says it has 4 GiB': read(
      'flac',
      flacWithPicture(seeds.flac, { type: 'image/png', data: pngFlood(60_000), size: MOST_32 }),
    ),
    'an MP3 cut in its tags': refused('mp3', id3([frame('TIT2', '\0x')], 200 * MIB)),
    'an MP3 of 4,000 frames of tags': read(
      'mp3',
      joined(id3(Array.from({ length: 4_000 }, (_, at) => frame('TXXX', `\0${String(at)}\0x`))), seeds.mp3),
    ),
    'an MP3 whose tag says it is larger than the file': refused('mp3', joined(id3([frame('TIT2', '\0x', MOST_32)], 100 * MIB), seeds.mp3)),
    'an AAC cut in its first frame': refused('aac', seeds.aac.subarray(0, 6)),
    'an AAC of frames without content': refused('aac', Buffer.alloc(70_000, Uint8Array.of(0xff, 0xf1, 0x50, 0x80, 0x00, 0xff, 0xfc))),
    'an AMR with a head alone': refused('amr', '#!AMR\n'),
    'an AMR of frames that are none': refused('amr', joined('#!AMR\n', Buffer.alloc(100_000, 0x7c))),
    'an MP4 cut before its tables': refused('mp4', half(seeds.mp4)),
    'a WebM cut in its head': refused('webm', seeds.webm.subarray(0, 100)),
    'an Ogg cut in its head': refused('ogg', seeds.ogg.subarray(0, 40)),
    'an ASF cut in its head': refused('wma', seeds.asf.subarray(0, 60)),
    'an ASF with objects of no size': refused('wma', asfWith(seeds.asf, asfObject(ASF_SCRIPT, Buffer.alloc(0), 0n))),
    'an ASF with objects of 8 EiB': refused('wma', asfWith(seeds.asf, asfObject(ASF_SCRIPT, Buffer.alloc(8), MOST_63))),
    'a CAF whose chunks say they have 8 EiB': refused(
      'caf',
      joined(seeds.caf.subarray(0, 8), 'pakt', u64be(MOST_63 - 1n, MOST_63, MOST_63), seeds.caf.subarray(8)),
    ),
    'a TTA of 4,294,967,295 samples': refused('tta', patched(seeds.tta, 14, u32le(MOST_32))),
    'an AU whose head has 4 GiB': read('au', patched(seeds.au, 4, u32be(MOST_32))),
    'a QuickTime film of 4,294,967,295 sizes of samples': refused('mov', table('stsz', 0, MOST_32)),
    'a QuickTime film of 4,294,967,295 times of samples': refused('mov', table('stts', MOST_32, MOST_32, 0x7fffffff)),
    'a QuickTime film of 4,294,967,295 places of samples': refused('mov', table('stco', MOST_32)),
    'a QuickTime film that says it lasts for 18 million years': read('mov', table('stts', 2, 8_000, 1, 0x7fffffff, 0x7fffffff)),
    'a QuickTime film of samples behind its end': refused('mov', table('stco', 1, 0x7ffffff0)),
    'a QuickTime film with an atom of 8 EiB': refused(
      'mov',
      joined(atom('ftyp', 'qt  ', u32be(0), 'qt  '), u32be(1), 'moov', u64be(MOST_63)),
    ),
    'a Matroska film of 255 channels and 10^300 samples a second': refused('mkv', mkv.soundMkv({ channels: 255, rate: 1e300 })),
    'a Matroska film whose segment says it has 64 PiB': refused(
      'mkv',
      joined(element(0x1a45dfa3, mkv.text(0x4282, 'matroska')), Buffer.from('1853806701fffffffffffffe1654ae6b01fffffffffffffe', 'hex')),
    ),
  }
}

/** Much of something: depth, streams, pixels, packed bytes, noise. */
function floods(seeds: Seeds): HostileFiles {
  const cover = pngFlood(60_000)
  return {
    'a QuickTime film of 100,000 atoms, each in the one before': refused(
      'mov',
      joined(atom('ftyp', 'qt  ', u32be(0), 'qt  '), mov.nested('moov', 100_000)),
    ),
    'a QuickTime film of 4,000 tracks': refused('mov', mov.soundMov({ tracks: 4_000 })),
    'a Matroska film of 100,000 tags, each in the one before': read(
      'mkv',
      mkv.soundMkv({ before: [element(0x1254c367, element(0x7373, mkv.nested(0x67c8, 100_000)))] }),
    ),
    'a Matroska film of 10,000 tracks': refused('mkv', mkv.soundMkv({ tracks: 10_000 })),
    'a Matroska film whose block unpacks to 100 MB': refused(
      'mkv',
      mkv.soundMkv({ track: [mkv.packed()], block: deflateSync(Buffer.alloc(100_000_000)) }),
    ),
    'an Ogg file of 3,000 streams': refused(
      'ogg',
      joined(...Array.from({ length: 3_000 }, (_, at) => oggPage(Buffer.from('Speex   1.2'), { serial: at, flags: 2 })), seeds.ogg),
    ),
    'a Flash film that unpacks to 40 MB': refused('swf', joined('CWS\x06', u32le(40_000_000), deflateSync(Buffer.alloc(40_000_000)))),
    'an AVI film with pictures of 60,000 x 60,000': read(
      'avi',
      riff.soundAvi({ streams: [riff.pictures(60_000)], movie: [chunk('00db', Buffer.alloc(9_000))] }),
    ),
    'an MP3 with a cover of 60,000 x 60,000': read('mp3', joined(id3([apic('image/png', cover)]), seeds.mp3)),
    'a FLAC with a cover of 60,000 x 60,000': read('flac', flacWithPicture(seeds.flac, { type: 'image/png', data: cover })),
    '8 MiB of what begins a frame of MP3': refused('mp3', Buffer.alloc(8 * MIB, 0xff)),
    '8 MiB of zeros': refused('wav', Buffer.alloc(8 * MIB)),
    '1 MiB of noise': refused('mp3', noise(MIB)),
  }
}

/** Files that are several things, or something else than their name says. */
function disguises({ url }: Canaries, seeds: Seeds): HostileFiles {
  const page = `<!doctype html><script src="${url}/p.js"></script><img src="${url}/p.png">`
  const pdf = `%PDF-1.7\n1 0 obj<</Type/Catalog/OpenAction<</S/URI/URI(${url}/pdf)>>>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`
  const zip = joined('PK\x03\x04', u16le(20, 0, 0), u32le(0, 0, 0, 0), u16le(1, 0), 'x')
  const gif = joined('GIF89a', u16le(1, 1), Uint8Array.of(0x80, 0, 0, 0, 0, 0, 255, 255, 255), 'GIF')
  return {
    'an MP3 with a PDF in front': read('mp3', joined(pdf, seeds.mp3)),
    'an MP3 with a page in front': read('mp3', joined(page, seeds.mp3)),
    'an MP3 with the head of a GIF in front': refused('gif', joined(gif, seeds.mp3)),
    'a WAV with an archive behind': read('wav', joined(riff.soundWav(), zip)),
    'a WAV with a page in its tags and behind': read(
      'wav',
      joined(riff.soundWav({ before: [chunk('LIST', joined('INFO', chunk('INAM', Buffer.from(page))))] }), page),
    ),
    'an MP4 under the name of a picture': read('png', mov.soundMov()),
    'an archive under the name of a recording': refused('mp3', zip),
    'a packed WAV': refused('wav', gzipSync(riff.soundWav())),
    'a page under the name of a recording': refused('mp3', page),
    'a PDF under the name of a recording': refused('wav', pdf),
    'a picture under the name of a recording': refused('mp3', pngFlood(64)),
    'a program under the name of a recording': refused('ogg', joined('\x7fELF\x02\x01\x01', Buffer.alloc(500))),
    'a film without sound': refused('mp4', seeds.mute),
  }
}

/** The same bytes at each run, without an order in them. */
function noise(length: number): Buffer {
  const out = Buffer.alloc(length)
  let state = 1
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    out[at] = state >>> 24
  }
  return out
}

/** Recordings that harm who reads them. */
export function hostileSounds(canaries: Canaries, seeds: Seeds): HostileFiles {
  return { ...references(canaries, seeds), ...lies(seeds), ...floods(seeds), ...disguises(canaries, seeds) }
}

/** Files of the makers as they are when nothing is odd, so that what is refused above is refused for what is odd. */
export function plainSounds(): HostileFiles {
  return {
    'a plain WAV': read('wav', riff.soundWav()),
    'a plain RF64': read('wav', riff.soundRf64(16_100n, 16_000n)),
    'a plain QuickTime film': read('mov', mov.soundMov()),
    'a plain Matroska film': read('mkv', mkv.soundMkv()),
    'a plain AVI film': read('avi', riff.soundAvi()),
  }
}
