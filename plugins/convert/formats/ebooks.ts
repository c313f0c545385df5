import type { Format } from './format.js'
import { element, zipped } from './shapes.js'

const MOBIPOCKET = {
  begins: [
    { at: 60, bytes: 'BOOKMOBI' },
    { at: 60, bytes: 'TEXtREAd' },
  ],
} as const

export const EBOOKS: readonly Format[] = [
  {
    id: 'epub',
    title: 'EPUB 3 book',
    family: 'ebook',
    mime: 'application/epub+zip',
    aliases: ['epub3'],
    is: zipped('META-INF/container.xml'),
  },
  {
    id: 'epub2',
    title: 'EPUB 2 book',
    family: 'ebook',
    mime: 'application/epub+zip',
    extension: 'epub',
    is: zipped('META-INF/container.xml'),
  },
  { id: 'mobi', title: 'Mobipocket book', family: 'ebook', mime: 'application/x-mobipocket-ebook', is: MOBIPOCKET },
  { id: 'prc', title: 'Mobipocket book of Palm', family: 'ebook', mime: 'application/x-mobipocket-ebook', is: MOBIPOCKET },
  { id: 'azw', title: 'Kindle book', family: 'ebook', mime: 'application/vnd.amazon.ebook', is: MOBIPOCKET },
  {
    id: 'azw3',
    title: 'Kindle book, format 8',
    family: 'ebook',
    mime: 'application/vnd.amazon.mobi8-ebook',
    aliases: ['kf8'],
    is: MOBIPOCKET,
  },
  { id: 'fb2', title: 'FictionBook', family: 'ebook', mime: 'application/x-fictionbook+xml', is: element('FictionBook') },
  { id: 'lit', title: 'Microsoft Reader book', family: 'ebook', mime: 'application/x-ms-reader', is: { begins: ['ITOLITLS'] } },
  { id: 'lrf', title: 'Sony Reader book', family: 'ebook', mime: 'application/x-sony-bbeb', is: { begins: ['L\0R\0F\0'] } },
  {
    id: 'pdb',
    title: 'Palm book',
    family: 'ebook',
    mime: 'application/vnd.palm',
    is: { begins: ['TEXtREAd', 'PNRdPPrs', 'zTXTGPlm', 'PNPdPPrs'].map((bytes) => ({ at: 60, bytes })) },
  },
  { id: 'pml', title: 'Palm Markup Language', family: 'ebook', mime: 'text/plain', is: { text: true } },
  { id: 'pmlz', title: 'Palm Markup Language, zipped', family: 'ebook', mime: 'application/zip', is: zipped('.pml') },
  { id: 'rb', title: 'Rocket eBook', family: 'ebook', mime: 'application/x-rocketbook', is: { begins: ['\xb0\x0c\xb0\x0c'] } },
  { id: 'tcr', title: 'Psion book', family: 'ebook', mime: 'application/x-tcr', is: { begins: ['!!8-Bit!!'] } },
  { id: 'htmlz', title: 'HTML book, zipped', family: 'ebook', mime: 'application/zip', is: zipped('.html') },
  { id: 'txtz', title: 'Text book, zipped', family: 'ebook', mime: 'application/zip', is: zipped('.txt') },
  { id: 'cbz', title: 'Comic book (ZIP)', family: 'ebook', mime: 'application/vnd.comicbook+zip', is: zipped() },
  { id: 'cb7', title: 'Comic book (7-Zip)', family: 'ebook', mime: 'application/x-cb7', is: { begins: ["7z\xbc\xaf'\x1c"] } },
  { id: 'cbc', title: 'Collection of comic books', family: 'ebook', mime: 'application/x-cbc', is: zipped('comics.txt') },
]
