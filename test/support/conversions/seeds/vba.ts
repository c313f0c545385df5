import { repeated, u16le, u32le } from '../bytes.js'
import { compoundFile } from './compound.js'

/** Modules by name; one that belongs to the document itself is named `ThisDocument` or `ThisWorkbook`. */
type Modules = Readonly<Record<string, string>>

/** A project of Visual Basic (MS-OVBA), as it is in `vbaProject.bin`. */
export function vbaProject(modules: Modules): Uint8Array {
  const names = Object.keys(modules)
  const own = (name: string): boolean => name.startsWith('This')
  const project = [
    'ID="{5E2F3B1C-0000-4000-8000-000000000001}"',
    ...names.map((name) => (own(name) ? `Document=${name}/&H00000000` : `Module=${name}`)),
    ...['Name="Project"', 'HelpContextID="0"', 'VersionCompatible32="393222000"', '', '[Host Extender Info]', ''],
  ].join('\r\n')
  const source = (name: string, code: string): Buffer =>
    packed(Buffer.from(`Attribute VB_Name = "${name}"\r\n${code.replaceAll('\n', '\r\n')}\r\n`))
  return compoundFile({
    PROJECT: Buffer.from(project),
    'VBA/_VBA_PROJECT': u16le(0x61cc, 0xffff, 0, 0).subarray(0, 7),
    'VBA/dir': packed(directory(names, own)),
    ...Object.fromEntries(names.map((name) => [`VBA/${name}`, source(name, modules[name] ?? '')])),
  })
}

function record(id: number, data: Uint8Array = Buffer.alloc(0)): Buffer {
  return Buffer.concat([u16le(id), u32le(data.length), data])
}

/** The stream `dir` (2.3.4.2), without references to libraries. */
function directory(names: readonly string[], own: (name: string) => boolean): Buffer {
  const named = (id: number, wide: number, name: string): Buffer =>
    Buffer.concat([record(id, Buffer.from(name)), record(wide, Buffer.from(name, 'utf16le'))])
  const about = [
    ...[record(0x01, u32le(1)), record(0x02, u32le(0x409)), record(0x14, u32le(0x409)), record(0x03, u16le(1_252))],
    ...[record(0x04, Buffer.from('Project')), named(0x05, 0x40, ''), named(0x06, 0x3d, ''), record(0x07, u32le(0)), record(0x08, u32le(0))],
    ...[Buffer.concat([u16le(0x09), u32le(4, 1), u16le(1)]), named(0x0c, 0x3c, '')],
  ]
  const modules = names.flatMap((name) => [
    ...[named(0x19, 0x47, name), named(0x1a, 0x32, name), named(0x1c, 0x48, ''), record(0x31, u32le(0))],
    ...[record(0x1e, u32le(0)), record(0x2c, u16le(0xffff)), record(own(name) ? 0x22 : 0x21), record(0x2b)],
  ])
  return Buffer.concat([...about, record(0x0f, u16le(names.length)), record(0x13, u16le(0xffff)), ...modules, record(0x10)])
}

/** A compressed container of one chunk without any repetition (2.4.1): eight bytes as they are behind each byte of flags. */
function packed(bytes: Buffer): Buffer {
  const chunk = repeated(Math.ceil(bytes.length / 8), (at) => Buffer.concat([Buffer.from([0]), bytes.subarray(at * 8, at * 8 + 8)]))
  if (chunk.length > 4_095) throw new Error('the code is too long')
  return Buffer.concat([Buffer.from([1]), u16le(0xb000 | (chunk.length - 1)), chunk])
}
