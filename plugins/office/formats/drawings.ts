import type { Group, Reading } from './types.js'

const open = (filter: string): Reading => ({ filter, container: 'zip' })
const withoutContainer = (filter: string): Reading => ({ filter, container: null })

/** Multi-page drawings, which become pictures through PDF. */
export const DRAWINGS: Group = {
  sources: {
    odg: open('draw8'),
    otg: open('draw8_template'),
    fodg: withoutContainer('OpenDocument Drawing Flat XML'),
    sxd: open('StarOffice XML (Draw)'),
    vdx: withoutContainer('Visio Document'),
    vsdx: { ...open('Visio Document'), holds: 'visio/' },
  },
  targets: {
    pdf: { filter: 'draw_pdf_Export' },
    odg: { filter: 'draw8' },
    otg: { filter: 'draw8_template' },
    fodg: { filter: 'OpenDocument Drawing Flat XML' },
  },
}

/** Single-picture drawings. */
export const GRAPHICS: Group = {
  sources: {
    svg: withoutContainer('SVG - Scalable Vector Graphics Draw'),
    svgz: withoutContainer('SVG - Scalable Vector Graphics Draw'),
    emf: withoutContainer('EMF - MS Windows Metafile'),
    emz: withoutContainer('EMF - MS Windows Metafile'),
    wmf: withoutContainer('WMF - MS Windows Metafile'),
    wmz: withoutContainer('WMF - MS Windows Metafile'),
    dxf: withoutContainer('DXF - AutoCAD Interchange'),
    pict: { ...withoutContainer('PCT - Mac Pict'), extension: 'pct' },
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
    webp: { filter: 'draw_webp_Export' },
  },
}

/** Raster pictures. */
export const PICTURES: Group = {
  sources: {
    png: withoutContainer('PNG - Portable Network Graphic'),
    jpeg: { ...withoutContainer('JPG - JPEG'), extension: 'jpg' },
    gif: withoutContainer('GIF - Graphics Interchange'),
    tiff: { ...withoutContainer('TIF - Tag Image File'), extension: 'tif' },
    bmp: withoutContainer('BMP - MS Windows'),
    psd: withoutContainer('PSD - Adobe Photoshop'),
    tga: withoutContainer('TGA - Truevision TARGA'),
    pcx: withoutContainer('PCX - Zsoft Paintbrush'),
    ras: withoutContainer('RAS - Sun Rasterfile'),
    pbm: withoutContainer('PBM - Portable Bitmap'),
    pgm: withoutContainer('PGM - Portable Graymap'),
    ppm: withoutContainer('PPM - Portable Pixelmap'),
    xpm: withoutContainer('XPM'),
  },
  targets: { pdf: { filter: 'draw_pdf_Export' }, odg: { filter: 'draw8' } },
}
