import { refused, type Canaries, type HostileFiles } from './types.js'

/** Playlists, scripts and texts that FFmpeg could take for a source, and that name files and addresses. */
export function playlists({ url, file }: Canaries): HostileFiles {
  const here = `file://${file}`
  return {
    'an HLS playlist of a file and an address': refused(
      'm3u8',
      `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${here}\n#EXTINF:1,\n${url}/a.ts\n#EXT-X-ENDLIST\n`,
    ),
    'an HLS playlist of playlists': refused(
      'm3u8',
      `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${url}/b.m3u8\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",URI="${here}"\n`,
    ),
    'an HLS playlist with a key at an address': refused(
      'mp3',
      `#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="${url}/key"\n#EXT-X-MAP:URI="${here}"\n#EXTINF:1,\nsource\n#EXT-X-ENDLIST\n`,
    ),
    'a DASH manifest': refused(
      'mpd',
      `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT1S" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"><Period><AdaptationSet mimeType="audio/mp4"><Representation id="1" bandwidth="1"><BaseURL>${url}/</BaseURL><SegmentList duration="1"><Initialization sourceURL="${here}"/><SegmentURL media="${url}/d.m4s"/></SegmentList></Representation></AdaptationSet></Period></MPD>`,
    ),
    'a list of parts (ffconcat)': refused('ffconcat', `ffconcat version 1.0\nfile '${here}'\nfile '${url}/c.ts'\nfile 'source'\n`),
    'a list of parts with options': refused(
      'wav',
      `ffconcat version 1.0\nfile '${file}'\noption safe 0\noption protocol_whitelist file,http,tcp\nstream\nduration 9999999\n`,
    ),
    'the address of a concatenation': refused('mp3', `concat:${file}|${url}/x.mp3`),
    'the address of a part of a file': refused('mp3', `subfile,,start,0,end,64,,:${file}`),
    'addresses of other protocols, one a line': refused(
      'txt',
      ['tcp', 'udp', 'rtmp', 'gopher', 'data', 'crypto+file', 'pipe', 'cache', 'tee'].map((name) => `${name}:${file}\n`).join(''),
    ),
    'a SMIL presentation': refused('smil', `<smil><body><seq><audio src="${url}/s.mp3"/><video src="${here}"/></seq></body></smil>`),
    'a session description (SDP)': refused(
      'sdp',
      `v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\na=control:${url.replace('http', 'rtsp')}\r\nm=audio ${new URL(url).port} RTP/AVP 0\r\n`,
    ),
    'an ASX playlist': refused('asx', `<asx version="3.0"><entry><ref href="${url}/x.wma"/></entry><entryref href="${here}"/></asx>`),
    'an old ASF reference': refused('asf', `[Reference]\r\nRef1=${url}/x.asf\r\nRef2=${here}\r\n`),
    'a PLS playlist': refused('pls', `[playlist]\nNumberOfEntries=2\nFile1=${url}/x.mp3\nFile2=${here}\n`),
    'an XSPF playlist': refused(
      'xspf',
      `<?xml version="1.0"?><!DOCTYPE p [<!ENTITY x SYSTEM "${here}">]><playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList><track><location>${url}/x.mp3</location><title>&x;</title></track></trackList></playlist>`,
    ),
    'a RealMedia metafile': refused('ram', `${url}/x.rm\nrtsp://127.0.0.1:${new URL(url).port}/y.rm\n${here}\n`),
    'a cue sheet': refused('cue', `FILE "${file}" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n`),
    'a graph of filters': refused('lavfi', `amovie=${file}[out0];movie=${url.replace(/:/g, '\\\\:')}/x[out1]`),
    'a script of AviSynth': refused('avs', `DirectShowSource("${file}")\nImport("${url}/x.avs")\n`),
    subtitles: refused('srt', `1\n00:00:01,000 --> 00:00:02,000\n<font face="${url}"><img src="${here}"></font>\n`),
    'subtitles with attached files': refused(
      'ass',
      `[Script Info]\nScriptType: v4.00+\n\n[Fonts]\nfontname: ../../../..${file}\n!!!!\n\n[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,{\\fn${url}}x\n`,
    ),
  }
}
