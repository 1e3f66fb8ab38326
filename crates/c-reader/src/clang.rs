//! Safe wrappers of the part of libclang that the reader uses; the only module with `unsafe` code.
//!
//! Invariants: the library is never unloaded once it is loaded; a [`Unit`] outlives its [`Cursor`]s and [`Type`]s, which
//! carry its lifetime; a null cursor or invalid type never leaves this module as if it were one (`Option`).
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_int, c_longlong, c_uint, c_ulonglong};
use std::mem::ManuallyDrop;
use std::ops::Range;
use std::path::Path;
use std::ptr;

use clang_sys::*;

/// The ranges of `CXCursorKind`; clang keeps statements from 200 on and preprocessing from 500 on.
const INVALID: Range<CXCursorKind> = 70..100;
const EXPRESSIONS: Range<CXCursorKind> = 100..200;
const ATTRIBUTES: Range<CXCursorKind> = 400..500;

macro_rules! functions {
    ($($field:ident: $symbol:ident($($argument:ty),*) $(-> $result:ty)?;)*) => {
        struct Functions {
            $($field: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Functions {
            fn load(library: &libloading::Library) -> Result<Self, String> {
                Ok(Functions {
                    $($field: {
                        // SAFETY: the signature is that of libclang's `Index.h` for this symbol.
                        let symbol = unsafe { library.get(concat!(stringify!($symbol), "\0").as_bytes()) };
                        *symbol.map_err(|_| stringify!($symbol).to_owned())?
                    },)*
                })
            }
        }
    };
}

functions! {
    create_index: clang_createIndex(c_int, c_int) -> CXIndex;
    dispose_index: clang_disposeIndex(CXIndex);
    parse: clang_parseTranslationUnit2(CXIndex, *const c_char, *const *const c_char, c_int, *mut CXUnsavedFile, c_uint,
        c_uint, *mut CXTranslationUnit) -> CXErrorCode;
    dispose_unit: clang_disposeTranslationUnit(CXTranslationUnit);
    diagnostic_count: clang_getNumDiagnostics(CXTranslationUnit) -> c_uint;
    diagnostic: clang_getDiagnostic(CXTranslationUnit, c_uint) -> CXDiagnostic;
    dispose_diagnostic: clang_disposeDiagnostic(CXDiagnostic);
    diagnostic_severity: clang_getDiagnosticSeverity(CXDiagnostic) -> CXDiagnosticSeverity;
    diagnostic_spelling: clang_getDiagnosticSpelling(CXDiagnostic) -> CXString;
    diagnostic_location: clang_getDiagnosticLocation(CXDiagnostic) -> CXSourceLocation;
    diagnostic_range_count: clang_getDiagnosticNumRanges(CXDiagnostic) -> c_uint;
    diagnostic_range: clang_getDiagnosticRange(CXDiagnostic, c_uint) -> CXSourceRange;
    diagnostic_children: clang_getChildDiagnostics(CXDiagnostic) -> CXDiagnosticSet;
    diagnostics_in_set: clang_getNumDiagnosticsInSet(CXDiagnosticSet) -> c_uint;
    diagnostic_in_set: clang_getDiagnosticInSet(CXDiagnosticSet, c_uint) -> CXDiagnostic;
    unit_cursor: clang_getTranslationUnitCursor(CXTranslationUnit) -> CXCursor;
    visit_children: clang_visitChildren(CXCursor, CXCursorVisitor, CXClientData) -> c_uint;
    cursor_type: clang_getCursorType(CXCursor) -> CXType;
    cursor_referenced: clang_getCursorReferenced(CXCursor) -> CXCursor;
    cursor_canonical: clang_getCanonicalCursor(CXCursor) -> CXCursor;
    cursor_definition: clang_getCursorDefinition(CXCursor) -> CXCursor;
    cursor_is_definition: clang_isCursorDefinition(CXCursor) -> c_uint;
    cursor_spelling: clang_getCursorSpelling(CXCursor) -> CXString;
    cursor_pretty: clang_getCursorPrettyPrinted(CXCursor, CXPrintingPolicy) -> CXString;
    cursor_extent: clang_getCursorExtent(CXCursor) -> CXSourceRange;
    cursor_location: clang_getCursorLocation(CXCursor) -> CXSourceLocation;
    cursor_linkage: clang_getCursorLinkage(CXCursor) -> CXLinkageKind;
    cursor_storage: clang_Cursor_getStorageClass(CXCursor) -> CX_StorageClass;
    cursor_tls: clang_getCursorTLSKind(CXCursor) -> CXTLSKind;
    cursor_inlined: clang_Cursor_isFunctionInlined(CXCursor) -> c_uint;
    cursor_argument_count: clang_Cursor_getNumArguments(CXCursor) -> c_int;
    cursor_argument: clang_Cursor_getArgument(CXCursor, c_uint) -> CXCursor;
    cursor_initializer: clang_Cursor_getVarDeclInitializer(CXCursor) -> CXCursor;
    cursor_binary: clang_getCursorBinaryOperatorKind(CXCursor) -> c_int;
    cursor_unary: clang_getCursorUnaryOperatorKind(CXCursor) -> c_int;
    cursor_evaluate: clang_Cursor_Evaluate(CXCursor) -> CXEvalResult;
    eval_kind: clang_EvalResult_getKind(CXEvalResult) -> CXEvalResultKind;
    eval_is_unsigned: clang_EvalResult_isUnsignedInt(CXEvalResult) -> c_uint;
    eval_unsigned: clang_EvalResult_getAsUnsigned(CXEvalResult) -> c_ulonglong;
    eval_int: clang_EvalResult_getAsLongLong(CXEvalResult) -> c_longlong;
    eval_double: clang_EvalResult_getAsDouble(CXEvalResult) -> f64;
    eval_dispose: clang_EvalResult_dispose(CXEvalResult);
    enum_type: clang_getEnumDeclIntegerType(CXCursor) -> CXType;
    enum_value: clang_getEnumConstantDeclValue(CXCursor) -> c_longlong;
    enum_unsigned: clang_getEnumConstantDeclUnsignedValue(CXCursor) -> c_ulonglong;
    field_width: clang_getFieldDeclBitWidth(CXCursor) -> c_int;
    field_is_bits: clang_Cursor_isBitField(CXCursor) -> c_uint;
    field_offset: clang_Cursor_getOffsetOfField(CXCursor) -> c_longlong;
    typedef_type: clang_getTypedefDeclUnderlyingType(CXCursor) -> CXType;
    type_canonical: clang_getCanonicalType(CXType) -> CXType;
    type_spelling: clang_getTypeSpelling(CXType) -> CXString;
    type_pointee: clang_getPointeeType(CXType) -> CXType;
    type_array_element: clang_getArrayElementType(CXType) -> CXType;
    type_array_size: clang_getArraySize(CXType) -> c_longlong;
    type_result: clang_getResultType(CXType) -> CXType;
    type_arg_count: clang_getNumArgTypes(CXType) -> c_int;
    type_arg: clang_getArgType(CXType, c_uint) -> CXType;
    type_variadic: clang_isFunctionTypeVariadic(CXType) -> c_uint;
    type_size: clang_Type_getSizeOf(CXType) -> c_longlong;
    type_align: clang_Type_getAlignOf(CXType) -> c_longlong;
    type_declaration: clang_getTypeDeclaration(CXType) -> CXCursor;
    type_named: clang_Type_getNamedType(CXType) -> CXType;
    type_value: clang_Type_getValueType(CXType) -> CXType;
    type_is_const: clang_isConstQualifiedType(CXType) -> c_uint;
    type_fields: clang_Type_visitFields(CXType, CXFieldVisitor, CXClientData) -> c_uint;
    range_start: clang_getRangeStart(CXSourceRange) -> CXSourceLocation;
    range_end: clang_getRangeEnd(CXSourceRange) -> CXSourceLocation;
    location_file: clang_getFileLocation(CXSourceLocation, *mut CXFile, *mut c_uint, *mut c_uint, *mut c_uint);
    location_expansion: clang_getExpansionLocation(CXSourceLocation, *mut CXFile, *mut c_uint, *mut c_uint, *mut c_uint);
    location_is_system: clang_Location_isInSystemHeader(CXSourceLocation) -> c_int;
    file_name: clang_getFileName(CXFile) -> CXString;
    file_contents: clang_getFileContents(CXTranslationUnit, CXFile, *mut usize) -> *const c_char;
    token_at: clang_getToken(CXTranslationUnit, CXSourceLocation) -> *mut CXToken;
    tokenize: clang_tokenize(CXTranslationUnit, CXSourceRange, *mut *mut CXToken, *mut c_uint);
    token_spelling: clang_getTokenSpelling(CXTranslationUnit, CXToken) -> CXString;
    dispose_tokens: clang_disposeTokens(CXTranslationUnit, *mut CXToken, c_uint);
    string_text: clang_getCString(CXString) -> *const c_char;
    string_dispose: clang_disposeString(CXString);
}

/// A loaded libclang.
pub struct Clang {
    functions: Functions,
}

/// Why a file is no usable libclang.
pub enum LoadError {
    /// The loader's words.
    NotLoaded(String),
    /// It lacks this function: it is older than 17.
    TooOld(String),
}

impl Clang {
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        // libclang parses on a thread of its own with a small stack unless this is set; our callers bring a big one.
        // SAFETY: nothing else in this process changes the environment; this runs before libclang reads it.
        unsafe { std::env::set_var("LIBCLANG_NOTHREADS", "1") };
        // SAFETY: loading runs LLVM's initialisers, which have no requirements on us.
        let library = unsafe { libloading::Library::new(path) };
        // LLVM does not bear being unloaded, so the handle is never closed.
        let library = ManuallyDrop::new(library.map_err(|error| LoadError::NotLoaded(error.to_string()))?);
        let functions = Functions::load(&library).map_err(LoadError::TooOld)?;
        Ok(Clang { functions })
    }

    /// Takes the text of a string and frees it.
    fn text(&self, string: CXString) -> String {
        // SAFETY: the string is libclang's and is used once, here.
        unsafe {
            let text = (self.functions.string_text)(string);
            let text = if text.is_null() {
                String::new()
            } else {
                CStr::from_ptr(text).to_string_lossy().into_owned()
            };
            (self.functions.string_dispose)(string);
            text
        }
    }

    /// Parses one file. `overlay` are files that need not exist on disk.
    pub fn parse(&self, path: &str, arguments: &[String], overlay: &[(String, &[u8])]) -> Option<Unit<'_>> {
        let path = CString::new(path).ok()?;
        let arguments: Vec<CString> = arguments
            .iter()
            .map(|argument| CString::new(argument.as_str()))
            .collect::<Result<_, _>>()
            .ok()?;
        let arguments: Vec<*const c_char> = arguments.iter().map(|argument| argument.as_ptr()).collect();
        let names: Vec<CString> = overlay
            .iter()
            .map(|(name, _)| CString::new(name.as_str()))
            .collect::<Result<_, _>>()
            .ok()?;
        let mut files: Vec<CXUnsavedFile> = names
            .iter()
            .zip(overlay)
            .map(|(name, (_, text))| CXUnsavedFile {
                Filename: name.as_ptr(),
                Contents: text.as_ptr().cast(),
                Length: text.len() as _,
            })
            .collect();
        // SAFETY: all pointers are to live buffers, with their lengths.
        unsafe {
            let index = (self.functions.create_index)(0, 0);
            let mut unit = ptr::null_mut();
            let outcome = (self.functions.parse)(
                index,
                path.as_ptr(),
                arguments.as_ptr(),
                arguments.len() as c_int,
                files.as_mut_ptr(),
                files.len() as c_uint,
                CXTranslationUnit_None as c_uint,
                &mut unit,
            );
            if outcome != CXError_Success || unit.is_null() {
                (self.functions.dispose_index)(index);
                return None;
            }
            Some(Unit {
                clang: self,
                index,
                unit,
            })
        }
    }
}

/// A parsed file.
pub struct Unit<'c> {
    clang: &'c Clang,
    index: CXIndex,
    unit: CXTranslationUnit,
}

impl Drop for Unit<'_> {
    fn drop(&mut self) {
        // SAFETY: both are ours; cursors and types cannot outlive us.
        unsafe {
            (self.clang.functions.dispose_unit)(self.unit);
            (self.clang.functions.dispose_index)(self.index);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    Note,
    Warning,
    Error,
}

/// What clang says about a file.
pub struct Message {
    pub level: Level,
    pub text: String,
    pub start: Option<Position>,
    pub end: Option<Position>,
    pub notes: Vec<Message>,
}

/// An opaque name of a file of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FileKey(usize);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub file: FileKey,
    pub offset: u32,
}

impl Unit<'_> {
    pub fn messages(&self) -> Vec<Message> {
        let functions = &self.clang.functions;
        // SAFETY: indices are below the count; every diagnostic is disposed of once.
        unsafe {
            (0..(functions.diagnostic_count)(self.unit))
                .map(|index| {
                    let diagnostic = (functions.diagnostic)(self.unit, index);
                    let mut message = self.message(diagnostic);
                    let children = (functions.diagnostic_children)(diagnostic);
                    for child in 0..(functions.diagnostics_in_set)(children) {
                        let child = (functions.diagnostic_in_set)(children, child);
                        message.notes.push(self.message(child));
                    }
                    (functions.dispose_diagnostic)(diagnostic);
                    message
                })
                .collect()
        }
    }

    unsafe fn message(&self, diagnostic: CXDiagnostic) -> Message {
        let functions = &self.clang.functions;
        // SAFETY: the caller gives a live diagnostic of this unit.
        unsafe {
            let location = (functions.diagnostic_location)(diagnostic);
            let start = self.position(location, false);
            let end = (0..(functions.diagnostic_range_count)(diagnostic))
                .filter_map(|index| {
                    let range = (functions.diagnostic_range)(diagnostic, index);
                    let from = self.position((functions.range_start)(range), false)?;
                    let to = self.position((functions.range_end)(range), false)?;
                    (Some(from.file) == start.map(|start| start.file)
                        && Some(from) == start
                        && to.offset > from.offset)
                        .then_some(to)
                })
                .next();
            Message {
                level: match (functions.diagnostic_severity)(diagnostic) {
                    CXDiagnostic_Error | CXDiagnostic_Fatal => Level::Error,
                    CXDiagnostic_Warning => Level::Warning,
                    _ => Level::Note,
                },
                text: self.clang.text((functions.diagnostic_spelling)(diagnostic)),
                start,
                end,
                notes: Vec::new(),
            }
        }
    }

    /// Where a location stands in a file: what is from a macro's body stands where the macro is used; its arguments where
    /// they are written, or (`expansion`) where the macro is used too.
    fn position(&self, location: CXSourceLocation, expansion: bool) -> Option<Position> {
        let (mut file, mut offset) = (ptr::null_mut(), 0);
        let functions = &self.clang.functions;
        let locate = if expansion {
            functions.location_expansion
        } else {
            functions.location_file
        };
        // SAFETY: the outputs are live; line and column, which take a search, need not be asked for.
        unsafe { locate(location, &mut file, ptr::null_mut(), ptr::null_mut(), &mut offset) };
        (!file.is_null()).then_some(Position {
            file: FileKey(file as usize),
            offset,
        })
    }

    pub fn file_name(&self, file: FileKey) -> String {
        // SAFETY: keys are made from this library's files only.
        self.clang
            .text(unsafe { (self.clang.functions.file_name)(file.0 as CXFile) })
    }

    pub fn file_contents(&self, file: FileKey) -> &[u8] {
        let mut length = 0;
        // SAFETY: the buffer lives as long as the unit.
        unsafe {
            let text = (self.clang.functions.file_contents)(self.unit, file.0 as CXFile, &mut length);
            if text.is_null() {
                &[]
            } else {
                std::slice::from_raw_parts(text.cast(), length)
            }
        }
    }

    pub fn root(&self) -> Cursor<'_> {
        // SAFETY: the unit is live.
        self.cursor(unsafe { (self.clang.functions.unit_cursor)(self.unit) })
    }

    fn cursor(&self, raw: CXCursor) -> Cursor<'_> {
        Cursor { unit: self, raw }
    }

    fn some_cursor(&self, raw: CXCursor) -> Option<Cursor<'_>> {
        (!INVALID.contains(&raw.kind)).then(|| self.cursor(raw))
    }

    fn some_type(&self, raw: CXType) -> Option<Type<'_>> {
        (raw.kind != CXType_Invalid).then_some(Type { unit: self, raw })
    }
}

/// A node of the syntax tree.
#[derive(Clone, Copy)]
pub struct Cursor<'u> {
    unit: &'u Unit<'u>,
    raw: CXCursor,
}

/// The source range of a cursor as clang numbers places, macros kept apart: equal only for the same tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawRange {
    pub start: u32,
    pub end: u32,
}

/// What clang computes for a constant expression.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Constant {
    Int(i128),
    Float(f64),
}

extern "C" fn collect(child: CXCursor, _: CXCursor, list: CXClientData) -> CXChildVisitResult {
    // SAFETY: `Cursor::children` passes its list, which nothing else uses meanwhile.
    unsafe { &mut *list.cast::<Vec<CXCursor>>() }.push(child);
    CXChildVisit_Continue
}

extern "C" fn collect_field(field: CXCursor, list: CXClientData) -> CXVisitorResult {
    // SAFETY: as above, for `Type::fields`.
    unsafe { &mut *list.cast::<Vec<CXCursor>>() }.push(field);
    CXVisit_Continue
}

// SAFETY of all blocks below: a cursor or type belongs to its unit, which is live, and libclang accepts any of them for
// any of these functions.
impl<'u> Cursor<'u> {
    fn functions(self) -> &'u Functions {
        &self.unit.clang.functions
    }

    pub fn kind(self) -> CXCursorKind {
        self.raw.kind
    }

    pub fn is_expression(self) -> bool {
        EXPRESSIONS.contains(&self.raw.kind)
    }

    pub fn is_attribute(self) -> bool {
        ATTRIBUTES.contains(&self.raw.kind)
    }

    /// The declaration that this cursor is, as a key.
    pub fn declaration_key(self) -> usize {
        self.raw.data[0] as usize
    }

    /// The statement or expression that this cursor is, as a key.
    pub fn statement_key(self) -> usize {
        self.raw.data[1] as usize
    }

    pub fn children(self) -> Vec<Cursor<'u>> {
        let mut raw: Vec<CXCursor> = Vec::new();
        unsafe { (self.functions().visit_children)(self.raw, collect, (&raw mut raw).cast()) };
        raw.into_iter().map(|raw| self.unit.cursor(raw)).collect()
    }

    /// The children that are expressions.
    pub fn operands(self) -> Vec<Cursor<'u>> {
        let mut children = self.children();
        children.retain(|child| child.is_expression());
        children
    }

    /// Which of the four parts of a `for` are there: initialisation, condition, step, body. libclang only gives the list of
    /// those that are there, but clang's `ForStmt` has a slot for each, behind its header of one word. The answer is given
    /// only if the slots hold exactly this cursor's children in their order, so a different layout is noticed.
    pub fn for_parts(self) -> Option<[Option<Cursor<'u>>; 4]> {
        if self.kind() != CXCursor_ForStmt || self.raw.data[1].is_null() {
            return None;
        }
        let children = self.children();
        // SAFETY: a `ForStmt` is larger than six words in all versions of clang.
        let slots = unsafe { ptr::read(self.raw.data[1].cast::<[usize; 6]>()) };
        let [_, init, condition_variable, condition, step, body] = slots;
        if condition_variable != 0 {
            return None;
        }
        let mut left = children.iter().copied();
        let mut parts = [None; 4];
        for (part, slot) in parts.iter_mut().zip([init, condition, step, body]) {
            if slot != 0 {
                *part = Some(left.next().filter(|child| child.statement_key() == slot)?);
            }
        }
        left.next().is_none().then_some(parts)
    }

    pub fn ty(self) -> Option<Type<'u>> {
        self.unit
            .some_type(unsafe { (self.functions().cursor_type)(self.raw) })
    }

    pub fn referenced(self) -> Option<Cursor<'u>> {
        self.unit
            .some_cursor(unsafe { (self.functions().cursor_referenced)(self.raw) })
    }

    pub fn canonical(self) -> Cursor<'u> {
        self.unit
            .cursor(unsafe { (self.functions().cursor_canonical)(self.raw) })
    }

    pub fn definition(self) -> Option<Cursor<'u>> {
        self.unit
            .some_cursor(unsafe { (self.functions().cursor_definition)(self.raw) })
    }

    pub fn is_definition(self) -> bool {
        unsafe { (self.functions().cursor_is_definition)(self.raw) != 0 }
    }

    pub fn spelling(self) -> String {
        self.unit
            .clang
            .text(unsafe { (self.functions().cursor_spelling)(self.raw) })
    }

    /// A declaration as clang prints it, macros expanded.
    pub fn pretty(self) -> String {
        self.unit
            .clang
            .text(unsafe { (self.functions().cursor_pretty)(self.raw, ptr::null_mut()) })
    }

    pub fn raw_range(self) -> RawRange {
        let range = unsafe { (self.functions().cursor_extent)(self.raw) };
        RawRange {
            start: range.begin_int_data,
            end: range.end_int_data,
        }
    }

    /// Where it stands in a file.
    pub fn range(self) -> Option<(Position, Position)> {
        let range = unsafe { (self.functions().cursor_extent)(self.raw) };
        let (start, end) = unsafe {
            (
                (self.functions().range_start)(range),
                (self.functions().range_end)(range),
            )
        };
        for expansion in [false, true] {
            let (from, to) = (
                self.unit.position(start, expansion)?,
                self.unit.position(end, expansion)?,
            );
            if from.file == to.file && from.offset < to.offset {
                return Some((from, to));
            }
        }
        let at = self.unit.position(start, true)?;
        Some((at, at))
    }

    /// Of the name of a declaration.
    pub fn location(self) -> Option<Position> {
        self.unit
            .position(unsafe { (self.functions().cursor_location)(self.raw) }, true)
    }

    pub fn is_in_system_header(self) -> bool {
        unsafe {
            let location = (self.functions().cursor_location)(self.raw);
            (self.functions().location_is_system)(location) != 0
        }
    }

    pub fn linkage(self) -> CXLinkageKind {
        unsafe { (self.functions().cursor_linkage)(self.raw) }
    }

    pub fn storage(self) -> CX_StorageClass {
        unsafe { (self.functions().cursor_storage)(self.raw) }
    }

    pub fn is_thread_local(self) -> bool {
        unsafe { (self.functions().cursor_tls)(self.raw) != CXTLS_None }
    }

    pub fn is_inline(self) -> bool {
        unsafe { (self.functions().cursor_inlined)(self.raw) != 0 }
    }

    /// The parameters of a function's declaration.
    pub fn parameters(self) -> Vec<Cursor<'u>> {
        let count = unsafe { (self.functions().cursor_argument_count)(self.raw) };
        (0..u32::try_from(count).unwrap_or(0))
            .filter_map(|index| {
                self.unit
                    .some_cursor(unsafe { (self.functions().cursor_argument)(self.raw, index) })
            })
            .collect()
    }

    pub fn initializer(self) -> Option<Cursor<'u>> {
        self.unit
            .some_cursor(unsafe { (self.functions().cursor_initializer)(self.raw) })
    }

    pub fn binary_operator(self) -> c_int {
        unsafe { (self.functions().cursor_binary)(self.raw) }
    }

    pub fn unary_operator(self) -> c_int {
        unsafe { (self.functions().cursor_unary)(self.raw) }
    }

    pub fn evaluate(self) -> Option<Constant> {
        let functions = self.functions();
        unsafe {
            let result = (functions.cursor_evaluate)(self.raw);
            if result.is_null() {
                return None;
            }
            let constant = match (functions.eval_kind)(result) {
                CXEval_Int if (functions.eval_is_unsigned)(result) != 0 => {
                    Some(Constant::Int(i128::from((functions.eval_unsigned)(result))))
                }
                CXEval_Int => Some(Constant::Int(i128::from((functions.eval_int)(result)))),
                CXEval_Float => Some(Constant::Float((functions.eval_double)(result))),
                _ => None,
            };
            (functions.eval_dispose)(result);
            constant
        }
    }

    pub fn enum_type(self) -> Option<Type<'u>> {
        self.unit
            .some_type(unsafe { (self.functions().enum_type)(self.raw) })
    }

    /// The value of an enumerator of an enumeration whose type is `signed`.
    pub fn enum_value(self, signed: bool) -> i128 {
        unsafe {
            if signed {
                i128::from((self.functions().enum_value)(self.raw))
            } else {
                i128::from((self.functions().enum_unsigned)(self.raw))
            }
        }
    }

    pub fn bit_width(self) -> Option<u32> {
        unsafe {
            ((self.functions().field_is_bits)(self.raw) != 0)
                .then(|| u32::try_from((self.functions().field_width)(self.raw)).unwrap_or(0))
        }
    }

    /// In bits.
    pub fn field_offset(self) -> Option<u64> {
        u64::try_from(unsafe { (self.functions().field_offset)(self.raw) }).ok()
    }

    pub fn typedef_type(self) -> Option<Type<'u>> {
        self.unit
            .some_type(unsafe { (self.functions().typedef_type)(self.raw) })
    }

    /// The first token as it is written, in the macro's body if it is from there.
    pub fn first_token(self) -> String {
        let functions = self.functions();
        unsafe {
            let start = (functions.range_start)((functions.cursor_extent)(self.raw));
            let token = (functions.token_at)(self.unit.unit, start);
            if token.is_null() {
                return String::new();
            }
            let text = self
                .unit
                .clang
                .text((functions.token_spelling)(self.unit.unit, *token));
            (functions.dispose_tokens)(self.unit.unit, token, 1);
            text
        }
    }

    /// The tokens of its range; empty if it starts and ends in different macros.
    pub fn tokens(self) -> Vec<String> {
        let functions = self.functions();
        let (mut tokens, mut count) = (ptr::null_mut(), 0);
        unsafe {
            let range = (functions.cursor_extent)(self.raw);
            (functions.tokenize)(self.unit.unit, range, &mut tokens, &mut count);
            if tokens.is_null() {
                return Vec::new();
            }
            let list = (0..count as usize)
                .map(|index| {
                    let token = *tokens.add(index);
                    self.unit
                        .clang
                        .text((functions.token_spelling)(self.unit.unit, token))
                })
                .collect();
            (functions.dispose_tokens)(self.unit.unit, tokens, count);
            list
        }
    }
}

/// A type, with its typedefs and qualifiers.
#[derive(Clone, Copy)]
pub struct Type<'u> {
    unit: &'u Unit<'u>,
    raw: CXType,
}

impl<'u> Type<'u> {
    fn functions(self) -> &'u Functions {
        &self.unit.clang.functions
    }

    pub fn kind(self) -> CXTypeKind {
        self.raw.kind
    }

    /// As a key: equal only for the same type, written the same.
    pub fn key(self) -> usize {
        self.raw.data[0] as usize
    }

    pub fn canonical(self) -> Type<'u> {
        Type {
            unit: self.unit,
            raw: unsafe { (self.functions().type_canonical)(self.raw) },
        }
    }

    pub fn spelling(self) -> String {
        self.unit
            .clang
            .text(unsafe { (self.functions().type_spelling)(self.raw) })
    }

    pub fn pointee(self) -> Option<Type<'u>> {
        self.unit
            .some_type(unsafe { (self.functions().type_pointee)(self.raw) })
    }

    pub fn array_element(self) -> Option<Type<'u>> {
        self.unit
            .some_type(unsafe { (self.functions().type_array_element)(self.raw) })
    }

    pub fn array_length(self) -> Option<u64> {
        u64::try_from(unsafe { (self.functions().type_array_size)(self.raw) }).ok()
    }

    pub fn result(self) -> Option<Type<'u>> {
        self.unit
            .some_type(unsafe { (self.functions().type_result)(self.raw) })
    }

    pub fn arguments(self) -> Vec<Type<'u>> {
        let count = unsafe { (self.functions().type_arg_count)(self.raw) };
        (0..u32::try_from(count).unwrap_or(0))
            .filter_map(|index| {
                self.unit
                    .some_type(unsafe { (self.functions().type_arg)(self.raw, index) })
            })
            .collect()
    }

    pub fn is_variadic(self) -> bool {
        unsafe { (self.functions().type_variadic)(self.raw) != 0 }
    }

    /// In bytes. Only for records, which have no placeholder types, on whose size libclang crashes.
    pub fn record_layout(self) -> Option<(u64, u64)> {
        if self.raw.kind != CXType_Record {
            return None;
        }
        let size = unsafe { (self.functions().type_size)(self.raw) };
        let align = unsafe { (self.functions().type_align)(self.raw) };
        Some((u64::try_from(size).ok()?, u64::try_from(align).ok()?))
    }

    pub fn declaration(self) -> Option<Cursor<'u>> {
        self.unit
            .some_cursor(unsafe { (self.functions().type_declaration)(self.raw) })
    }

    pub fn named(self) -> Option<Type<'u>> {
        self.unit
            .some_type(unsafe { (self.functions().type_named)(self.raw) })
    }

    pub fn atomic_value(self) -> Option<Type<'u>> {
        self.unit
            .some_type(unsafe { (self.functions().type_value)(self.raw) })
    }

    pub fn is_const(self) -> bool {
        unsafe { (self.functions().type_is_const)(self.raw) != 0 }
    }

    pub fn fields(self) -> Vec<Cursor<'u>> {
        let mut raw: Vec<CXCursor> = Vec::new();
        unsafe { (self.functions().type_fields)(self.raw, collect_field, (&raw mut raw).cast()) };
        raw.into_iter().map(|raw| self.unit.cursor(raw)).collect()
    }
}
