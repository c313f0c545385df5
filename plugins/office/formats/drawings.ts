import type { Group, Reading } from './types.js'

const open = (filter: string): Reading => ({ filter, container: 'zip' })
const any = (filter: string): Reading => ({ filter, container: null })

/** Drawings of pages, which become pictures by way of PDF. */
export const DRAWINGS: Group = {
  sources: {
    odg: open('draw8'),
    otg: open('draw8_template'),
    fodg: any('OpenDocument Drawing Flat XML'),
    sxd: open('StarOffice XML (Draw)'),
    vdx: any('Visio Document'),
    vsdx: { ...open('Visio Document'), holds: 'visio/' },
  },
  targets: {
    pdf: { filter: 'draw_pdf_Export' },
    odg: { filter: 'draw8' },
    otg: { filter: 'draw8_template' },
    fodg: { filter: 'OpenDocument Drawing Flat XML' },
    xhtml: { filter: 'XHTML Draw File' },
  },
}

/** Drawings that are one picture. */
export const GRAPHICS: Group = {
  sources: {
    svg: any('SVG - Scalable Vector Graphics Draw'),
    svgz: any('SVG - Scalable Vector Graphics Draw'),
    emf: any('EMF - MS Windows Metafile'),
    emz: any('EMF - MS Windows Metafile'),
    wmf: any('WMF - MS Windows Metafile'),
    wmz: any('WMF - MS Windows Metafile'),
    dxf: any('DXF - AutoCAD Interchange'),
    pict: { ...any('PCT - Mac Pict'), extension: 'pct' },
  },
  targets: {
    ...DRAWINGS.targets,
    svg: { filter: 'draw_svg_Export' },
    emf: { filter: 'draw_emf_Export' },
    wmf: { filter: 'draw_wmf_Export' },
    eps: { filter: 'draw_eps_Export' },
    png: { filter: 'draw_png_Export' },
    jpeg: { filter: 'draw_jpg_Export', extension: 'jpg' },
    tiff: { filter: 'draw_tif_Export', extension: 'tif' },
    gif: { filter: 'draw_gif_Export' },
    bmp: { filter: 'draw_bmp_Export' },
    webp: { filter: 'draw_webp_Export' },
  },
}

/** Pictures of pixels. */
export const PICTURES: Group = {
  sources: {
    png: any('PNG - Portable Network Graphic'),
    jpeg: { ...any('JPG - JPEG'), extension: 'jpg' },
    gif: any('GIF - Graphics Interchange'),
    tiff: { ...any('TIF - Tag Image File'), extension: 'tif' },
    bmp: any('BMP - MS Windows'),
    webp: any('WEBP - WebP'),
    psd: any('PSD - Adobe Photoshop'),
    tga: any('TGA - Truevision TARGA'),
    pcx: any('PCX - Zsoft Paintbrush'),
    ras: any('RAS - Sun Rasterfile'),
    pbm: any('PBM - Portable Bitmap'),
    pgm: any('PGM - Portable Graymap'),
    ppm: any('PPM - Portable Pixelmap'),
    xbm: any('XBM - X-Consortium'),
    xpm: any('XPM'),
  },
  targets: { pdf: { filter: 'draw_pdf_Export' }, odg: { filter: 'draw8' } },
}
