// Rounding an address up to an alignment, on 32-bit machine words.
//
// Lariat answers: proved. For every power of two up to a page, and every address that does not
// overflow, the result is aligned, not below the address, and less than one alignment above it.
//
//     cargo run --release -- verify examples/bits.bpl        (exit code 0)

type Word = bv32;

function {:bvbuiltin "bvadd"} Add(left: Word, right: Word): Word;
function {:bvbuiltin "bvsub"} Subtract(left: Word, right: Word): Word;
function {:bvbuiltin "bvand"} And(left: Word, right: Word): Word;
function {:bvbuiltin "bvnot"} Not(word: Word): Word;
function {:bvbuiltin "bvshl"} ShiftLeft(word: Word, distance: Word): Word;
function {:bvbuiltin "bvult"} Below(left: Word, right: Word): bool;
function {:bvbuiltin "bvule"} AtMost(left: Word, right: Word): bool;

function {:inline} PageOf(address: Word): bv20 { address[32:12] }
function {:inline} PageStart(page: bv20): Word { page ++ 0bv12 }

procedure AlignUp(address: Word, alignment: Word) returns (aligned: Word)
{
  var mask: Word;

  mask := Subtract(alignment, 1bv32);
  aligned := And(Add(address, mask), Not(mask));
}

procedure main(address: Word, distance: Word)
{
  var alignment: Word;
  var aligned: Word;

  assume AtMost(distance, 12bv32);
  assume AtMost(address, 4294963200bv32); // the start of the last page
  alignment := ShiftLeft(1bv32, distance);

  call aligned := AlignUp(address, alignment);
  assert {:id "aligned"} And(aligned, Subtract(alignment, 1bv32)) == 0bv32;
  assert {:id "not-below"} AtMost(address, aligned);
  assert {:id "the-next-one"} Below(Subtract(aligned, address), alignment);
  if (alignment == 4096bv32) {
    assert {:id "start-of-a-page"} PageStart(PageOf(aligned)) == aligned;
  }
}
