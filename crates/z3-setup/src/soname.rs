//! Reads the name under which a program that is linked to an ELF library will ask for it.
//!
//! Someone who copies `libz3.so` alone has a library that links and then is not found, because its
//! `SONAME` is `libz3.so.5.4`: we want to tell them while building.

const ELF64_LITTLE_ENDIAN: &[u8] = b"\x7fELF\x02\x01";
const PT_LOAD: u64 = 1;
const PT_DYNAMIC: u64 = 2;
const DT_NULL: u64 = 0;
const DT_STRTAB: u64 = 5;
const DT_SONAME: u64 = 14;

/// The `SONAME` of an ELF library; `None` if it has none or is not a 64-bit little-endian ELF file.
pub fn soname(elf: &[u8]) -> Option<String> {
    if !elf.starts_with(ELF64_LITTLE_ENDIAN) {
        return None;
    }
    let number = |offset: usize, size: usize| -> Option<u64> {
        let bytes = elf.get(offset..offset.checked_add(size)?)?;
        Some(
            bytes
                .iter()
                .rev()
                .fold(0, |value, &byte| value << 8 | u64::from(byte)),
        )
    };
    let position = |value: u64| usize::try_from(value).ok();

    // (type, file offset, virtual address, size in the file) of each program header
    let headers_offset = position(number(32, 8)?)?;
    let header_size = position(number(54, 2)?)?;
    let header_count = position(number(56, 2)?)?;
    let mut segments = Vec::new();
    for index in 0..header_count {
        let header = headers_offset.checked_add(index * header_size)?;
        segments.push((
            number(header, 4)?,
            number(header.checked_add(8)?, 8)?,
            number(header.checked_add(16)?, 8)?,
            number(header.checked_add(32)?, 8)?,
        ));
    }

    let &(_, dynamic_offset, _, dynamic_size) = segments.iter().find(|segment| segment.0 == PT_DYNAMIC)?;
    let (mut string_table_address, mut soname_index) = (None, None);
    for entry in 0..dynamic_size / 16 {
        let entry_offset = position(dynamic_offset.checked_add(entry * 16)?)?;
        let value = number(entry_offset.checked_add(8)?, 8)?;
        match number(entry_offset, 8)? {
            DT_NULL => break,
            DT_STRTAB => string_table_address = Some(value),
            DT_SONAME => soname_index = Some(value),
            _ => {}
        }
    }
    let address = string_table_address?;
    let &(_, segment_offset, segment_address, _) = segments
        .iter()
        .find(|&&(kind, _, start, size)| kind == PT_LOAD && start <= address && address - start < size)?;
    let name_offset = segment_offset
        .checked_add(address - segment_address)?
        .checked_add(soname_index?)?;
    let name = elf.get(position(name_offset)?..)?;
    let end = name.iter().position(|&byte| byte == 0)?;
    String::from_utf8(name[..end].to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of two segments: one that maps the whole file at `0x1000`, and the dynamic table.
    fn library(name: &str) -> Vec<u8> {
        let mut elf = vec![0; 64];
        elf[..6].copy_from_slice(ELF64_LITTLE_ENDIAN);
        elf[32] = 64; // where the program headers start
        elf[54] = 56; // size of one
        elf[56] = 2; // how many
        let dynamic_offset = 64 + 2 * 56;
        let strings_offset = dynamic_offset + 3 * 16;
        let size = strings_offset + 1 + name.len() as u64 + 1;
        for (kind, offset, address, file_size) in [
            (PT_LOAD, 0, 0x1000, size),
            (PT_DYNAMIC, dynamic_offset, 0x1000 + dynamic_offset, 3 * 16),
        ] {
            for field in [kind, offset, address, address, file_size, file_size, 0] {
                elf.extend(field.to_le_bytes());
            }
        }
        for entry in [DT_SONAME, 1, DT_STRTAB, 0x1000 + strings_offset, DT_NULL, 0] {
            elf.extend(entry.to_le_bytes());
        }
        elf.push(0);
        elf.extend(name.bytes());
        elf.push(0);
        elf
    }

    #[test]
    fn reads_the_name_of_a_library() {
        assert_eq!(soname(&library("libz3.so.5.4")).as_deref(), Some("libz3.so.5.4"));
    }

    #[test]
    fn a_truncated_or_foreign_file_has_no_name() {
        let elf = library("libz3.so.5.4");
        for length in 0..elf.len() {
            assert_eq!(soname(&elf[..length]), None, "cut at {length}");
        }
        assert_eq!(soname(b"!<arch>\n"), None);
    }
}
