import { gzipSync } from 'node:zlib'
import { writeZip } from '../zip-writer.js'
import { tar, type TarEntry } from './archives.js'

/** A file that tries something, and whether it is refused or converted without what it tried. */
export interface Hostile {
  readonly what: string
  readonly data: string | Uint8Array
  readonly from: string
  readonly to: string
  readonly ends: 'refused' | 'converted' | 'either'
  readonly says?: RegExp
}

/** What the files reach for: `file` outside of the sandbox, `system` a file of the machine that the sandbox shows, `url` a site. */
export interface Canaries {
  readonly file: string
  readonly system: string
  readonly url: string
}

/** Texts that include, embed, fetch or name other files. */
export function markup({ file, system, url }: Canaries): Hostile[] {
  const each = (from: string, to: string, data: string | Uint8Array, what = `${from} to ${to}`): Hostile => ({
    what,
    data,
    from,
    to,
    ends: 'either',
  })
  const both = (text: (path: string) => string): string => [file, system].map(text).join('\n')
  const pictures = `${both((path) => `![one](${path}) ![two](file://${path})`)}\n\n![three](${url}/three.png)\n`
  const entities = (root: string, text: string): string =>
    `<?xml version="1.0"?><!DOCTYPE ${root} [<!ENTITY a SYSTEM "file://${file}"><!ENTITY b SYSTEM "${url}/entity"><!ENTITY c SYSTEM "file://${system}">]>${text}`
  return [
    each(
      'tex',
      'html',
      both((path) => `\\input{${path}} \\include{${path}} \\verbatiminput{${path}} \\lstinputlisting{${path}}`),
    ),
    each(
      'tex',
      'docx',
      both((path) => `\\includegraphics{${path}}`),
    ),
    each(
      'rst',
      'html',
      both(
        (path) =>
          `.. include:: ${path}\n\n.. raw:: html\n   :file: ${path}\n\n.. csv-table::\n   :file: ${path}\n\n.. literalinclude:: ${path}\n`,
      ),
    ),
    each('rst', 'odt', `.. raw:: html\n   :url: ${url}/raw\n\n.. image:: ${url}/picture.png\n\n.. csv-table::\n   :url: ${url}/table\n`),
    each(
      'org',
      'html',
      both((path) => `#+INCLUDE: "${path}"\n#+SETUPFILE: ${path}\n[[file:${path}]]`),
    ),
    each(
      'man',
      'html',
      both((path) => `.so ${path}`),
    ),
    each('t2t', 'html', `Title\n\n\n${both((path) => `%!include: ${path}\n%!include: \`\`${path}\`\``)}\n`),
    each(
      'muse',
      'html',
      both((path) => `<include src="${path}">\n[[${path}.png]]`),
    ),
    each(
      'dokuwiki',
      'docx',
      both((path) => `{{file://${path}}} {{${url}/wiki.png}}`),
    ),
    ...['docx', 'odt', 'pptx', 'epub', 'html', 'ipynb', 'rtf', 'fb2', 'icml'].map((to) => each('md', to, pictures)),
    each(
      'md',
      'html',
      `---\n${['bibliography', 'csl', 'css', 'template', 'abbreviations'].map((key) => `${key}: ${system}`).join('\n')}\ncsl: ${url}/csl\n---\n\nText [@one].\n`,
      'metadata of Markdown',
    ),
    each('md', 'epub', `---\ncover-image: ${file}\ncss: ${url}/style.css\nstylesheet: ${system}\n---\n\nText\n`, 'metadata of a book'),
    ...['md', 'docx', 'epub'].map((to) =>
      each(
        'html',
        to,
        `<html><iframe src="${url}/frame"></iframe><iframe src="${file}"></iframe><img src="${url}/picture.png"><img src="file://${system}"><object data="${system}"></object></html>`,
      ),
    ),
    each(
      'docbook',
      'html',
      entities(
        'article',
        `<article xmlns:xi="http://www.w3.org/2001/XInclude"><para>&a;&b;&c;</para><xi:include href="${system}" parse="text"/><para><inlinemediaobject><imageobject><imagedata fileref="${url}/x.png"/></imageobject></inlinemediaobject></para></article>`,
      ),
    ),
    each(
      'jats',
      'docx',
      entities(
        'article',
        `<article><body><p>&a;&b;&c;</p><p><inline-graphic xlink:href="${system}" xmlns:xlink="http://www.w3.org/1999/xlink"/></p></body></article>`,
      ),
    ),
    each('opml', 'md', entities('opml', '<opml version="2.0"><head/><body><outline text="a" _note="&c;"/></body></opml>')),
    each('epub', 'md', book(system)),
    each('docbook', 'html', laughs(), 'entities that multiply'),
    each('md', 'html', '> '.repeat(300) + 'deep', 'quotes in quotes'),
    each('tex', 'html', '\\newcommand{\\a}{\\a\\a}\\a', 'a macro without end'),
  ]
}

/** A book whose list of files leads out of it. */
export function book(path: string): Uint8Array {
  const out = `../../../../../..${path}`
  return writeZip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles><rootfile full-path="a/b.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'a/b.opf': `<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="i"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>t</dc:title><dc:identifier id="i">i</dc:identifier><dc:language>en</dc:language></metadata><manifest><item id="o" href="${out}" media-type="application/xhtml+xml"/><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/><itemref idref="o"/></spine></package>`,
    'a/c.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><body><p>Words</p><img src="${out}"/><img src="file://${path}"/></body></html>`,
    '../../evil.xhtml': '<html/>',
  })
}

function laughs(): string {
  const names = Array.from({ length: 12 }, (_, at) => `e${String(at)}`)
  const entities = names.map((name, at) => `<!ENTITY ${name} "${at === 0 ? 'ha' : `&${String(names[at - 1])};`.repeat(10)}">`)
  return `<?xml version="1.0"?><!DOCTYPE article [${entities.join('')}]><article><para>&e11;</para></article>`
}

/** Books that name other files, fetch, or lead out of their archive. */
export function books({ file, system, url }: Canaries): Hostile[] {
  const page = `<html><head><link rel="stylesheet" href="${url}/style.css"><link rel="stylesheet" href="file://${system}"></head><body><p>Words</p>
    <img src="file://${file}"><img src="../../../../..${system}"><img src="${url}/picture.png"><a href="file://${system}">x</a><a href="${system}">x</a>
    <iframe src="${url}/frame"></iframe><script>fetch('${url}/script').catch(() => 0); document.body.append('written by ' + 'script')</script></body></html>`
  const each = (from: string, to: string, data: string | Uint8Array): Hostile => ({
    what: `${from} to ${to}`,
    data,
    from,
    to,
    ends: 'either',
  })
  const xxe = `<?xml version="1.0"?><!DOCTYPE FictionBook [<!ENTITY a SYSTEM "file://${system}"><!ENTITY b SYSTEM "${url}/entity">]>`
  return [
    each('html', 'htmlz', page),
    each('html', 'pdf', page),
    each(
      'htmlz',
      'txtz',
      writeZip({ 'index.html': page, '../../../../../../tmp/capstan-evil.html': 'evil', '/tmp/capstan-evil.html': 'evil' }),
    ),
    each('epub', 'htmlz', book(system)),
    each(
      'fb2',
      'htmlz',
      `${xxe}<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><description/><body><section><p>Words &a; &b;</p></section></body></FictionBook>`,
    ),
    each('pml', 'htmlz', `Words \\m="../../../../..${system}" \\m="${url}/x.png"`),
    {
      what: 'a recipe, which is a program',
      data: 'class R(BasicNewsRecipe): pass',
      from: 'recipe',
      to: 'epub',
      ends: 'refused',
      says: /no format/,
    },
  ]
}

/** Scripts and drawings under the names of pictures, and pictures that are larger than their files suggest. */
export function pictures({ file, url }: Canaries): Hostile[] {
  const mvg = `push graphic-context\nviewbox 0 0 9 9\nimage over 0,0 0,0 'https://x/";|id"'\nimage over 0,0 9,9 '${url}/mvg'\nimage over 0,0 9,9 'label:@${file}'\npop graphic-context\n`
  const msl = `<?xml version="1.0"?><image><read filename="${url}/msl"/><read filename="text:${file}"/><write filename="/tmp/capstan-evil.png"/></image>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9"><image xlink:href="${url}/svg" width="9" height="9"/><image xlink:href="text:${file}" width="9" height="9"/></svg>`
  const ps = `%!PS\n(${file}) (r) file\n(%pipe%id) (r) file\nshowpage\n`
  const refused = (what: string, from: string, data: string | Uint8Array, says?: RegExp): Hostile => ({
    ...{ what, data, from, to: 'png', ends: 'refused' },
    ...(says === undefined ? {} : { says }),
  })
  const disguised = Object.entries({ mvg, msl, svg, ps }).flatMap(([name, data]) => [
    refused(`${name} as jpeg`, 'jpeg', data, /no jpeg file/),
    ...['tga', 'pict', 'aai', 'mtv', 'xwd', 'palm'].map((from) => refused(`${name} as ${from}`, from, data)),
    refused(`${name} as xbm`, 'xbm', `/* #define x 1 */ ${data}`),
    refused(`${name} as xpm`, 'xpm', `/* XPM */ ${data}`),
  ])
  return [
    ...disguised,
    refused('a bitmap that is too wide', 'pbm', Buffer.concat([Buffer.from('P4 20000 1000\n'), Buffer.alloc(2_500_000)]), /pixels/),
    refused('a pixmap that says it has ten billion pixels', 'pgm', 'P5 100000 100000 255\n0'),
    refused('an icon of nothing', 'ico', Buffer.from([0, 0, 1, 0, 255, 255])),
    refused('a picture that is cut off', 'miff', 'id=ImageMagick\nclass=DirectClass\ncolumns=99 rows=99 depth=8\n\f\n:\x1a'),
    refused(
      'a picture whose text names a file',
      'miff',
      `id=ImageMagick\nclass=DirectClass\ncolumns=9 rows=9 depth=8\nlabel={@${file}}\nprofile:iptc=9\n:\x1a`,
    ),
  ]
}

/** Archives that put files elsewhere, contain more than their size suggests, or are lists of files to read. */
export function archives({ system }: Canaries): Hostile[] {
  const each = (what: string, from: string, data: Uint8Array | string, says: RegExp): Hostile => ({
    what,
    data,
    from,
    to: from === 'zip' ? 'tar' : 'zip',
    ends: 'refused',
    says,
  })
  const inTar = (what: string, entry: TarEntry, says: RegExp): Hostile =>
    each(what, 'tar', tar([{ name: 'a.txt', data: 'a' }, entry]), says)
  const list = `#mtree\n./a type=file uid=0 gid=0 mode=0644 contents=${system}\n`
  return [
    each('names that lead out of a ZIP archive', 'zip', writeZip({ 'a.txt': 'a', '../../evil.txt': 'x' }), /leads out/),
    each('names from the root of the disk', 'zip', writeZip({ '/etc/evil.txt': 'x' }), /leads out/),
    each('names of Windows', 'zip', writeZip({ 'C:\\evil.txt': 'x' }), /leads out/),
    inTar('names that lead out of a tar archive', { name: 'b/../../evil.txt', data: 'x' }, /leads out/),
    inTar('a link to the root of the disk', { name: 'b', type: '2', link: '/etc' }, /link/),
    inTar('a link that leads out', { name: 'b', type: '2', link: '../../etc' }, /link/),
    inTar('a device', { name: 'b', type: '3' }, /neither/),
    inTar('a pipe', { name: 'b', type: '6' }, /neither/),
    each('a bomb', 'zip', writeZip({ a: Buffer.alloc(40_000_000) }), /as large/),
    each('a packed bomb', 'tar.gz', gzipSync(tar([{ name: 'a', data: Buffer.alloc(40_000_000) }])), /as large/),
    each('very many files', 'tar', tar(Array.from({ length: 10_001 }, (_, at) => ({ name: String(at) }))), /more than 10000/),
    each('a list of files to read', 'tar.gz', gzipSync(list), /no tar.gz archive/),
    each('an archive with a password', 'zip', locked(), /password/),
    each('an archive that is cut off', 'tar.gz', gzipSync(tar([{ name: 'a', data: 'a' }])).subarray(0, 60), /damaged/),
  ]
}

/** A ZIP archive of one file that says it is encrypted. */
function locked(): Uint8Array {
  const bytes = Buffer.from(writeZip({ 'a.txt': 'a'.repeat(100) }, { flags: 1 }))
  bytes.writeUInt16LE(1, 6)
  return bytes
}

/** Programs in PostScript that read, write, start and never end. */
export function postscript({ file, system, url }: Canaries): Hostile[] {
  const read = (path: string): string =>
    `/Helvetica findfont 9 scalefont setfont 9 9 moveto (${path}) (r) file 400 string readstring pop show showpage`
  const each = (what: string, text: string): Hostile => ({
    what,
    data: `%!PS-Adobe-3.0\n${text}\n%%EOF\n`,
    from: 'ps',
    to: 'pdf',
    ends: 'either',
  })
  return [
    each('reads a file', read(file)),
    each('reads a file of the machine', read(system)),
    each('starts a program', '(%pipe%touch /tmp/capstan-evil) (w) file closefile showpage'),
    each('sends its pages to a program', '<< /OutputFile (%pipe%touch /tmp/capstan-evil) >> setpagedevice showpage'),
    each('writes a file', '(/tmp/capstan-evil) (w) file (x) writestring showpage'),
    each('switches safety off', `systemdict /SAFER false put .setsafe ${read(system)}`),
    each('runs another file', `(${system}) run showpage`),
    each('lists files', '(/etc/*) { == } 100 string filenameforall showpage'),
    each('names a font at an address', `(${url}/font) findfont 9 scalefont setfont (x) show showpage`),
  ]
}
