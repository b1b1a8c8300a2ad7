// SPDX-License-Identifier: Apache-2.0
#include "pyacl/refusals.h"

#include <array>
#include <cstring>
#include <string_view>
#include <utility>

#include "acl/acl_sim.h"
#include "pyacl/caller.h"
#include "pyacl/convert.h"

namespace pyacl {
namespace {

constexpr Refusal kRefusals[] = {
    // ---- acl.mdl ----
    {"acl.mdl.load_from_file", "model_id, ret", "ir"},
    {"acl.mdl.load_from_mem", "model_id, ret", "ir"},
    {"acl.mdl.load_from_file_with_mem", "model_id, ret", "ir"},
    {"acl.mdl.load_from_mem_with_mem", "model_id, ret", "ir"},
    {"acl.mdl.unload", "ret", "r"},
    {"acl.mdl.create_desc", "desc", "i"},
    {"acl.mdl.destroy_desc", "ret", "r"},
    {"acl.mdl.get_desc", "ret", "r"},
    {"acl.mdl.get_num_inputs", "num", "i"},
    {"acl.mdl.get_num_outputs", "num", "i"},
    {"acl.mdl.get_input_size_by_index", "size", "i"},
    {"acl.mdl.get_output_size_by_index", "size", "i"},
    {"acl.mdl.get_input_dims", "dims, ret", "dr"},
    {"acl.mdl.get_input_dims_v2", "dims, ret", "dr"},
    {"acl.mdl.get_output_dims", "dims, ret", "dr"},
    {"acl.mdl.get_cur_output_dims", "dims, ret", "dr"},
    {"acl.mdl.get_input_name_by_index", "name", "s"},
    {"acl.mdl.get_output_name_by_index", "name", "s"},
    {"acl.mdl.get_input_index_by_name", "index, ret", "ir"},
    {"acl.mdl.get_output_index_by_name", "index, ret", "ir"},
    {"acl.mdl.get_input_format", "format", "u"},
    {"acl.mdl.get_output_format", "format", "u"},
    {"acl.mdl.get_input_data_type", "dtype", "u"},
    {"acl.mdl.get_output_data_type", "dtype", "u"},
    {"acl.mdl.create_dataset", "dataset", "i"},
    {"acl.mdl.destroy_dataset", "ret", "r"},
    {"acl.mdl.add_dataset_buffer", "dataset, ret", "ir"},
    {"acl.mdl.get_dataset_num_buffers", "num", "i"},
    {"acl.mdl.get_dataset_buffer", "data_buffer", "i"},
    {"acl.mdl.set_dataset_tensor_desc", "ret", "r"},
    {"acl.mdl.get_dataset_tensor_desc", "tensor_desc", "i"},
    {"acl.mdl.execute", "ret", "r"},
    {"acl.mdl.execute_async", "ret", "r"},
    {"acl.mdl.query_size", "work_size, weight_size, ret", "iir"},
    {"acl.mdl.get_dynamic_batch", "batch, ret", "br"},
    {"acl.mdl.set_dynamic_batch_size", "ret", "r"},
    {"acl.mdl.get_dynamic_hw", "hw, ret", "hr"},
    {"acl.mdl.set_dynamic_hw_size", "ret", "r"},
    {"acl.mdl.get_input_dynamic_gear_count", "count, ret", "ir"},
    {"acl.mdl.get_input_dynamic_dims", "dims, ret", "dr"},
    {"acl.mdl.set_input_dynamic_dims", "ret", "r"},
    {"acl.mdl.get_aipp_type", "type, dynamic_index, ret", "iir"},
    {"acl.mdl.create_aipp", "aipp", "i"},
    {"acl.mdl.get_op_attr", "value", "s"},
    {"acl.mdl.create_and_get_op_desc",
     "op_name, input_desc, num_inputs, output_desc, num_outputs, ret", "siiiir"},
    {"acl.mdl.bundle_get_model_num", "num, ret", "ir"},
    {"acl.mdl.set_config_opt", "ret", "r"},
    {"acl.mdl.load_with_config", "model_id, ret", "ir"},
    {"acl.mdl.bundle_load_from_file", "bundle_id, ret", "ir"},
    {"acl.mdl.bundle_load_from_mem", "bundle_id, ret", "ir"},
    {"acl.mdl.bundle_get_model_id", "model_id, ret", "ir"},
    {"acl.mdl.bundle_unload", "ret", "r"},
    {"acl.mdl.create_config_handle", "handle", "i"},
    {"acl.mdl.destroy_config_handle", "ret", "r"},
    {"acl.mdl.get_tensor_real_name", "name", "s"},
    {"acl.mdl.create_exec_config_handle", "handle", "i"},
    {"acl.mdl.destroy_exec_config_handle", "ret", "r"},
    {"acl.mdl.set_exec_config_opt", "ret", "r"},
    {"acl.mdl.execute_v2", "ret", "r"},
    {"acl.mdl.query_size_from_mem", "work_size, weight_size, ret", "iir"},
    {"acl.mdl.set_aipp_by_input_index", "ret", "r"},
    {"acl.mdl.destroy_aipp", "ret", "r"},
    {"acl.mdl.set_aipp_input_format", "ret", "r"},
    {"acl.mdl.set_aipp_csc_params", "ret", "r"},
    {"acl.mdl.set_aipp_rbuv_swap_switch", "ret", "r"},
    {"acl.mdl.set_aipp_ax_swap_switch", "ret", "r"},
    {"acl.mdl.set_aipp_src_image_size", "ret", "r"},
    {"acl.mdl.set_aipp_crop_params", "ret", "r"},
    {"acl.mdl.set_aipp_padding_params", "ret", "r"},
    {"acl.mdl.set_aipp_dtc_pixel_mean", "ret", "r"},
    {"acl.mdl.set_aipp_dtc_pixel_min", "ret", "r"},
    {"acl.mdl.set_aipp_pixel_var_reci", "ret", "r"},
    {"acl.mdl.set_input_aipp", "ret", "r"},
    {"acl.mdl.get_aipp_data_size", "size, ret", "ir"},
    {"acl.mdl.get_first_aipp_info", "aipp_info, ret", "mr"},
    {"acl.mdl.get_desc_from_file", "ret", "r"},
    {"acl.mdl.get_desc_from_mem", "ret", "r"},
    {"acl.mdl.get_input_dims_range", "dims_range, ret", "mr"},
    {"acl.mdl.init_dump", "ret", "r"},
    {"acl.mdl.set_dump", "ret", "r"},
    {"acl.mdl.finalize_dump", "ret", "r"},
    // ---- acl.op ----
    {"acl.op.set_model_dir", "ret", "r"},
    {"acl.op.create_attr", "attr", "i"},
    {"acl.op.destroy_attr", "None", ""},
    {"acl.op.set_attr_bool", "ret", "r"},
    {"acl.op.create_handle", "handle, ret", "ir"},
    {"acl.op.destroy_handle", "None", ""},
    {"acl.op.execute_with_handle", "ret", "r"},
    {"acl.op.execute_v2", "ret", "r"},
    {"acl.op.execute", "ret", "r"},
    {"acl.op.cast", "ret", "r"},
    {"acl.op.load", "ret", "r"},
    {"acl.op.infer_shape", "ret", "r"},
    {"acl.op.register_compile_func", "ret", "r"},
    {"acl.op.unregister_compile_func", "ret", "r"},
    {"acl.op.create_kernel", "ret", "r"},
    {"acl.op.set_kernel_args", "ret", "r"},
    {"acl.op.set_kernel_workspace_sizes", "ret", "r"},
    {"acl.op.update_params", "ret", "r"},
    {"acl.op.set_max_op_queue_num", "ret", "r"},
    {"acl.op.set_attr_int", "ret", "r"},
    {"acl.op.set_attr_float", "ret", "r"},
    {"acl.op.set_attr_string", "ret", "r"},
    {"acl.op.set_attr_list_bool", "ret", "r"},
    {"acl.op.set_attr_list_int", "ret", "r"},
    {"acl.op.set_attr_list_float", "ret", "r"},
    {"acl.op.set_attr_list_string", "ret", "r"},
    {"acl.op.set_attr_list_list_int", "ret", "r"},
    {"acl.op.set_attr_data_type", "ret", "r"},
    {"acl.op.set_attr_list_data_type", "ret", "r"},
    {"acl.op.create_handle_for_cast", "handle, ret", "ir"},
    // ---- acl.media ----
    {"acl.media.dvpp_create_batch_pic_desc", "handle", "i"},
    {"acl.media.dvpp_create_channel", "ret", "r"},
    {"acl.media.dvpp_create_channel_desc", "handle", "i"},
    {"acl.media.dvpp_create_jpege_config", "handle", "i"},
    {"acl.media.dvpp_create_pic_desc", "handle", "i"},
    {"acl.media.dvpp_create_resize_config", "handle", "i"},
    {"acl.media.dvpp_create_roi_config", "handle", "i"},
    {"acl.media.dvpp_create_stream_desc", "handle", "i"},
    {"acl.media.dvpp_destroy_batch_pic_desc", "ret", "r"},
    {"acl.media.dvpp_destroy_channel", "ret", "r"},
    {"acl.media.dvpp_destroy_channel_desc", "ret", "r"},
    {"acl.media.dvpp_destroy_jpege_config", "ret", "r"},
    {"acl.media.dvpp_destroy_pic_desc", "ret", "r"},
    {"acl.media.dvpp_destroy_resize_config", "ret", "r"},
    {"acl.media.dvpp_destroy_roi_config", "ret", "r"},
    {"acl.media.dvpp_destroy_stream_desc", "ret", "r"},
    {"acl.media.dvpp_get_pic_desc", "pic_desc", "i"},
    {"acl.media.dvpp_get_pic_desc_data", "value", "i"},
    {"acl.media.dvpp_get_pic_desc_height", "value", "i"},
    {"acl.media.dvpp_get_pic_desc_ret_code", "ret", "r"},
    {"acl.media.dvpp_get_pic_desc_size", "value", "i"},
    {"acl.media.dvpp_get_pic_desc_width", "value", "i"},
    {"acl.media.dvpp_get_stream_desc_data", "value", "i"},
    {"acl.media.dvpp_get_stream_desc_ret_code", "ret", "r"},
    {"acl.media.dvpp_get_stream_desc_size", "value", "i"},
    {"acl.media.dvpp_jpeg_decode_async", "ret", "r"},
    {"acl.media.dvpp_jpeg_encode_async", "ret", "r"},
    {"acl.media.dvpp_jpeg_get_image_info", "width, height, components, ret", "iiir"},
    {"acl.media.dvpp_jpeg_predict_dec_size", "size, ret", "ir"},
    {"acl.media.dvpp_jpeg_predict_enc_size", "size, ret", "ir"},
    {"acl.media.dvpp_set_jpege_config_level", "ret", "r"},
    {"acl.media.dvpp_set_pic_desc_data", "ret", "r"},
    {"acl.media.dvpp_set_pic_desc_format", "ret", "r"},
    {"acl.media.dvpp_set_pic_desc_height", "ret", "r"},
    {"acl.media.dvpp_set_pic_desc_height_stride", "ret", "r"},
    {"acl.media.dvpp_set_pic_desc_size", "ret", "r"},
    {"acl.media.dvpp_set_pic_desc_width", "ret", "r"},
    {"acl.media.dvpp_set_pic_desc_width_stride", "ret", "r"},
    {"acl.media.dvpp_set_stream_desc_data", "ret", "r"},
    {"acl.media.dvpp_set_stream_desc_eos", "ret", "r"},
    {"acl.media.dvpp_set_stream_desc_format", "ret", "r"},
    {"acl.media.dvpp_set_stream_desc_ret_code", "ret", "r"},
    {"acl.media.dvpp_set_stream_desc_size", "ret", "r"},
    {"acl.media.dvpp_set_stream_desc_timestamp", "ret", "r"},
    {"acl.media.dvpp_vpc_batch_crop_and_paste_async", "batch_pic_desc, ret", "ir"},
    {"acl.media.dvpp_vpc_batch_crop_async", "batch_pic_desc, ret", "ir"},
    {"acl.media.dvpp_vpc_crop_and_paste_async", "ret", "r"},
    {"acl.media.dvpp_vpc_crop_async", "ret", "r"},
    {"acl.media.dvpp_vpc_resize_async", "ret", "r"},
    {"acl.media.vdec_create_channel", "ret", "r"},
    {"acl.media.vdec_create_channel_desc", "handle", "i"},
    {"acl.media.vdec_create_frame_config", "handle", "i"},
    {"acl.media.vdec_destroy_channel", "ret", "r"},
    {"acl.media.vdec_destroy_channel_desc", "ret", "r"},
    {"acl.media.vdec_destroy_frame_config", "ret", "r"},
    {"acl.media.vdec_get_channel_desc_out_mode", "value", "i"},
    {"acl.media.vdec_send_frame", "ret", "r"},
    {"acl.media.vdec_set_channel_desc_callback", "ret", "r"},
    {"acl.media.vdec_set_channel_desc_channel_id", "ret", "r"},
    {"acl.media.vdec_set_channel_desc_entype", "ret", "r"},
    {"acl.media.vdec_set_channel_desc_out_mode", "ret", "r"},
    {"acl.media.vdec_set_channel_desc_out_pic_format", "ret", "r"},
    {"acl.media.vdec_set_channel_desc_thread_id", "ret", "r"},
    {"acl.media.venc_create_channel", "ret", "r"},
    {"acl.media.venc_create_channel_desc", "handle", "i"},
    {"acl.media.venc_create_frame_config", "handle", "i"},
    {"acl.media.venc_destroy_channel", "ret", "r"},
    {"acl.media.venc_destroy_channel_desc", "ret", "r"},
    {"acl.media.venc_destroy_frame_config", "ret", "r"},
    {"acl.media.venc_get_frame_config_eos", "value", "i"},
    {"acl.media.venc_get_frame_config_force_i_frame", "value", "i"},
    {"acl.media.venc_send_frame", "ret", "r"},
    {"acl.media.venc_set_channel_desc_callback", "ret", "r"},
    {"acl.media.venc_set_channel_desc_entype", "ret", "r"},
    {"acl.media.venc_set_channel_desc_key_frame_interval", "ret", "r"},
    {"acl.media.venc_set_channel_desc_pic_format", "ret", "r"},
    {"acl.media.venc_set_channel_desc_pic_height", "ret", "r"},
    {"acl.media.venc_set_channel_desc_pic_width", "ret", "r"},
    {"acl.media.venc_set_channel_desc_thread_id", "ret", "r"},
    {"acl.media.venc_set_frame_config_eos", "ret", "r"},
    {"acl.media.venc_set_frame_config_force_i_frame", "ret", "r"},
};

const char* feature_of(std::string_view name) {
  if (name.starts_with("acl.mdl.")) return "offline models";
  return name.starts_with("acl.op.") ? "single operators" : "media functions";
}

/// {name: "", <count>: 0, <list>: []}: an empty record.
PyObject* give_empty(const char* name, const char* count, const char* list) {
  PyObject* const dict = PyDict_New();
  if (!dict) return nullptr;
  const bool done = (!name || set_item(dict, name, give_text(""))) &&
                    (!count || set_item(dict, count, PyLong_FromLong(0))) &&
                    (!list || set_item(dict, list, PyList_New(0)));
  if (done) return dict;
  Py_DECREF(dict);
  return nullptr;
}

PyObject* give_refused(char kind, long code) {
  switch (kind) {
    case 'r':  // the code
      return PyLong_FromLong(code);
    case 'u':  // a data type or format: undefined
      return PyLong_FromLong(-1);
    case 's':
      return give_text("");
    case 'd':
      return give_empty("name", "dimCount", "dims");
    case 'b':
      return give_empty(nullptr, "batchCount", "batch");
    case 'h':
      return give_empty(nullptr, "hwCount", "hw");
    case 'm':  // a record whose fields are unknown
      return PyDict_New();
    default:  // 'i': a number, a handle or an address
      return PyLong_FromLong(0);
  }
}

const char* type_of(char kind) {
  switch (kind) {
    case 's':
      return "str";
    case 'd':
    case 'b':
    case 'h':
    case 'm':
      return "Dict[str, Any]";
    default:
      return "int";
  }
}

PyObject* answer(const Refusal& row) {
  if (lines_wanted != 0) name_caller();
  PyThreadState* const state = PyEval_SaveThread();
  const aclError code = aclsimRefuse(row.name, feature_of(row.name));
  PyEval_RestoreThread(state);
  const std::size_t count = std::strlen(row.kinds);
  if (count == 0) Py_RETURN_NONE;
  if (count == 1) return give_refused(row.kinds[0], code);
  PyObject* const tuple = PyTuple_New(static_cast<Py_ssize_t>(count));
  for (std::size_t i = 0; tuple && i < count; ++i) {
    PyObject* const item = give_refused(row.kinds[i], code);
    if (!item) {
      Py_DECREF(tuple);
      return nullptr;
    }
    PyTuple_SetItem(tuple, static_cast<Py_ssize_t>(i), item);
  }
  return tuple;
}

template <std::size_t number>
PyObject* refused_call(PyObject*, PyObject*, PyObject*) {
  return answer(kRefusals[number]);
}

template <std::size_t... numbers>
constexpr auto make_functions(std::index_sequence<numbers...>) {
  return std::array<PyCFunctionWithKeywords, sizeof...(numbers)>{&refused_call<numbers>...};
}
constexpr auto kFunctions = make_functions(std::make_index_sequence<std::size(kRefusals)>{});

}  // namespace

std::size_t refusal_count() { return std::size(kRefusals); }

const Refusal& refusal(std::size_t number) { return kRefusals[number]; }

PyCFunctionWithKeywords refusal_function(std::size_t number) { return kFunctions[number]; }

PyObject* refusal_types(const Refusal& row) {
  return give_list(std::strlen(row.kinds),
                   [&](std::size_t i) { return give_text(type_of(row.kinds[i])); });
}

}  // namespace pyacl
