//! Compressed files, made by the encoders of the decoders' authors. Unit tests include this
//! file, too.

use std::io::Write;

pub type Encoder = fn(&[u8]) -> Vec<u8>;

pub fn compressions() -> [(&'static str, Encoder); 7] {
    [
        ("gzip", gzip),
        ("bzip2", bzip2),
        ("xz", xz),
        ("zstd", zstd),
        ("lz4", lz4),
        ("lzma", lzma),
        ("lzip", lzip),
    ]
}

pub fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

pub fn bzip2(data: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

pub fn xz(data: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::XzOptions::with_preset(1);
    let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

pub fn zstd(data: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(data, ruzstd::encoding::CompressionLevel::Fastest)
}

pub fn lz4(data: &[u8]) -> Vec<u8> {
    let info = lz4_flex::frame::FrameInfo::new().block_size(lz4_flex::frame::BlockSize::Max64KB);
    let mut encoder = lz4_flex::frame::FrameEncoder::with_frame_info(info, Vec::new());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

pub fn lzma(data: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::LzmaOptions::with_preset(1);
    let mut encoder = lzma_rust2::LzmaWriter::new_use_header(Vec::new(), &options, None).unwrap();
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

pub fn lzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = lzma_rust2::LzipWriter::new(Vec::new(), lzma_rust2::LzipOptions::with_preset(1));
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

pub fn deflate(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

/// lzma data as in a zip archive, with a mark at their end or not.
pub fn raw_lzma(data: &[u8], mark: bool) -> Vec<u8> {
    let options = lzma_rust2::LzmaOptions::with_preset(1);
    let mut encoder = lzma_rust2::LzmaWriter::new_no_header(Vec::new(), &options, mark).unwrap();
    encoder.write_all(data).unwrap();
    let mut file = vec![9, 20, 5, 0, options.get_props()];
    file.extend(options.dict_size.to_le_bytes());
    file.extend(encoder.finish().unwrap());
    file
}
